"""SIGKILL at random moments: each window comes back with the state last reported as saved, or a newer one."""

import random
import threading
import time

from driver import App, Difference, differences

# Without spaces: the space key, like Enter, would press the button that the arrow keys may have led to.
WORDS = ["alpha", "beta.gamma", "Delta-7", "0123456789", "x"]


def act(app, chance):
    """Acts once in the front window or dialog, as a user does, without changing the book."""
    screen = app.screen
    numbers = screen.do(
        "search", "--all", "--onlyvisible", "--pid", app.process.pid, "--name", ".").split()
    if not numbers:
        return
    # The dialog is in front when there is one.
    titles = {screen.do("getwindowname", number).strip(): number for number in numbers}
    titles.pop("", None)
    if not titles:
        return
    title = "New contact" if "New contact" in titles else chance.choice(sorted(titles))
    number = titles[title]
    screen.do("windowraise", number, "windowfocus", number)
    choice = chance.randrange(10)
    if choice == 0:
        app.type(chance.choice(WORDS))
    elif choice == 1:
        app.click(number, 100, chance.randrange(80, 260))
    elif choice == 2:
        app.click(number, 100, 200, button=chance.choice([4, 5]), count=chance.randrange(1, 9))
    elif choice == 3:
        app.click(number, 100, chance.randrange(80, 260), count=2)
    elif choice == 4:
        app.keys(chance.choice(["alt+b", "alt+c"]))
    elif choice == 5:
        app.keys("alt+n")
    elif choice == 6 and title != "New contact":
        # The tabs; in the dialog, an entry is at this place.
        app.click(number, chance.choice([66, 160]), 82)
    elif choice == 7:
        app.keys(*["shift+Left"] * chance.randrange(1, 5))
    elif choice == 8:
        app.keys(chance.choice(["Tab", "Down", "Up", "End", "Home"]))
    elif choice == 9:
        screen.do("windowsize", number, chance.randrange(300, 600), chance.randrange(260, 600))


def change_book(app):
    """Sorts the book, or adds a new contact, and waits until the matching state was saved.

    If the app ended after it wrote the book but before it wrote the state, the two files would be of
    different moments. Each list would then be at a position that follows from the new order, which no save had.
    """
    line = next(iter(app.look().values()))
    title = next(title for title in line["windows"] if title.startswith("Contacts"))
    if len(line["windows"]) > 1:
        app.press_until("New contact", "Add", lambda line: len(line["windows"]))
    elif app.widget(line, "Sort")["isMapped"]:
        app.press_until(title, "Sort", lambda line: app.widget(line, "AllContacts")["middleRow"])
    return app.settled()


def saved_states(app, allowed):
    """The states in which each window may come back after this run: the last saved one, or a newer encoded one."""
    result = dict(allowed)
    lines = app.lines()
    for session in {line["session"] for line in lines}:
        own = [line for line in lines if line["session"] == session]
        saved = max((line["number"] for line in own if line["event"] == "saved"), default=0)
        states = [line for line in own if line["event"] == "encoded" and line["number"] >= saved]
        result[session] = (allowed.get(session, []) if saved == 0 else []) + states
    return result


def play(play, count, seed):
    chance = random.Random(seed)
    directory = play.work / "state"
    newest = 0
    app = App(play.screen, play.program, directory)
    app.restored()
    app.press("Contacts", "New window")
    app.restored(2)
    allowed = {session: [line] for session, line in app.settled().items()}
    app.kill()
    for number in range(count):
        app = App(play.screen, play.program, directory)
        in_launch = number % 5 == 4
        if in_launch:
            delay = chance.uniform(0, 0.8)
        else:
            lines = {line["session"]: line for line in app.restored(len(allowed))}
            newest += check(lines, allowed, number)
            allowed = {
                session: [line] for session, line in change_book(app).items()}
            delay = chance.uniform(0, 4)
        timer = threading.Timer(delay, app.process.kill)
        timer.start()
        while app.is_alive:
            if in_launch:
                time.sleep(0.01)
            else:
                act(app, chance)
        app.process.wait()
        allowed = saved_states(app, allowed)
    app = App(play.screen, play.program, directory)
    newest += check(
        {line["session"]: line for line in app.restored(len(allowed))}, allowed, count)
    app.kill()
    print(f"  {count} kills, {newest} windows came back with more than was reported as saved")


def check(lines, allowed, number):
    """Compares the restored windows, and returns how many were newer than the state reported as saved."""
    newer = 0
    for session, states in allowed.items():
        if session not in lines:
            raise Difference(f"kill {number}: the window {session} did not come back")
        found = [differences(state, lines[session]) for state in states]
        if [] not in found:
            raise Difference(
                f"kill {number}: {len(states)} states might have come back, and none did; the saved "
                "one differs so: " + "; ".join(found[0]))
        newer += found[0] != []
    return newer
