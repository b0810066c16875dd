"""Uses the contacts app in windows as people do, kills it, and compares the restored windows.

    play.py PROGRAM [--scenes screens,late,texts,endings,refusals,passphrase] [--kills N] [--seed N]
            [--pictures DIR]
"""

import argparse
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import kills
from driver import App, Difference, Screen, await_until, differences


# The edge of a letter may get another shade when it is drawn again, in a few of 770,000 pixels.
ANTIALIASING = 8


class Play:
    def __init__(self, program, work, screen, pictures):
        self.program, self.work, self.screen, self.pictures = program, work, screen, pictures

    def start(self, name="state", *options):
        return App(self.screen, self.program, self.work / name, *options)

    def expect(self, before, after, what):
        for session, line in before.items():
            if session not in after:
                raise Difference(f"{what}: the window {session} did not come back")
            found = differences(line, after[session])
            if found:
                raise Difference(f"{what}: " + "; ".join(found))

    def picture(self, name):
        path = self.pictures / f"{name}.png"
        self.screen.picture(path)
        return path

    def steady_picture(self, name):
        """A picture that is still the same a moment later, since a slow machine draws after the last change."""
        def found():
            first = self.picture(name + "-earlier")
            time.sleep(0.3)
            second = self.picture(name)
            return second if compare(first, second) == 0 else None
        return await_until(found, "a screen that stays as it is")

    def restart(self, app, what, title="Contacts", with_pixels=True):
        """Kills the app once everything is saved, starts it again, and compares widgets and pixels."""
        app.rest_mouse()
        before = app.settled()
        if with_pixels:
            app.unmarked()
        app.look_until(text_of(app, "Status", "saved"), "the word saved")
        first = self.steady_picture(what + "-before") if with_pixels else self.picture(what + "-before")
        app.kill()
        app = self.start()
        lines = app.restored()
        self.expect(before, {line["session"]: line for line in lines}, what)
        app.focus(title)
        app.settled()
        # The last frame is drawn a little after the last change was saved.
        for _ in range(40):
            pixels = compare(first, self.picture(what + "-after"))
            if pixels <= ANTIALIASING or not with_pixels:
                break
        else:
            raise Difference(f"{what}: {pixels} pixels are not as they were")
        print(f"  {what}: every widget is as before, and the picture differs in {pixels:.0f} pixels")
        return app


def compare(first, second):
    """The number of pixels in which two pictures differ."""
    run = subprocess.run(
        ["compare", "-metric", "AE", str(first), str(second), "null:"], text=True, check=False,
        stderr=subprocess.PIPE)
    return float(run.stderr.split()[0])


def text_of(app, name, text):
    return lambda line: app.widget(line, name).get("text") == text


def rows_of(app, name, key):
    return lambda line: app.widget(line, name).get(key)


def play_screens(play):
    """Plays lists, forms, texts, tabs, sorting, sizes, a dialog and a second window."""
    app = play.start()
    app.restored()
    window = app.focus("Contacts")
    app.click(window, 100, 200)
    app.click(window, 100, 200, button=5, count=7)
    app.keys("Down", "Down")
    app = play.restart(app, "list")

    window = app.focus("Contacts")
    row = next(iter(app.look().values()))
    row = app.widget(row, "AllContacts")["selectedRow"]
    app.keys("Return")
    app.look_until(has_form, "the form")
    if app.widget(next(iter(app.look().values())), "Name")["text"] != row.split("   ")[0]:
        raise Difference(f"Enter did not open the selected row {row}")
    app.keys("End")
    app.type(" Senior")
    app.keys("Tab", "Tab")
    for number in range(24):
        app.type(f"Line {number}, not kept yet.")
        app.keys("Return")
    app.keys("Up", "Up", "shift+Up", "shift+Up", "shift+Left")
    # When typing makes a text longer than its window, GTK draws the slider only when the text is shown again.
    app = play.restart(app, "typed", with_pixels=False)
    app = play.restart(app, "form")

    app.focus("Contacts")
    app.keys("ctrl+Home", "shift+Tab", "shift+Tab", "Home", "shift+ctrl+Right")
    app = play.restart(app, "entry")

    app.focus("Contacts")
    app.press_until("Contacts", "Keep", rows_of(app, "AllContacts", "selectedRow"))
    app.press_until("Contacts", "Favourite", rows_of(app, "Favourites", "rowCount"))
    app.press_until("Contacts", "Back", rows_of(app, "AllContacts", "isMapped"))
    app.press_until("Contacts", "Sort", rows_of(app, "AllContacts", "middleRow"))
    app = play.restart(app, "sorted")
    kept = [
        state for states in next(iter(app.look().values()))["windows"].values() for state in states
        if "Senior" in (state.get("selectedRow") or "")
    ]
    if not kept:
        raise Difference("what was kept is not in the list")

    app.focus("Contacts")
    app.click_tab("Contacts", 1)
    app.look_until(lambda line: app.widget(line, "Favourites")["isMapped"], "the favourites")
    app.resize("Contacts", 420, 330)
    app = play.restart(app, "favourites")

    app.focus("Contacts")
    app.keys("alt+n")
    app.focus("New contact")
    app.type("Somebody New")
    app.keys("Tab")
    app.type("555 12")
    app.keys("Home", "Right", "shift+Right", "shift+Right")
    app = play.restart(app, "dialog", title="New contact")

    app.focus("New contact")
    app.keys("alt+a")
    app.look_until(lambda line: len(line["windows"]) == 1, "the end of the dialog")
    app.focus("Contacts")
    app.keys("alt+w")
    second = app.focus("Contacts 2")
    app.screen.do("windowmove", "--sync", second, 500, 0)
    app.restored(2)
    app.click(second, 100, 150)
    app.click(second, 100, 150, button=5, count=12)
    app.keys("Return")
    app.type("Second ")
    before = app.settled()
    play.picture("windows-before")
    app.kill()
    app = play.start()
    after = {line["session"]: line for line in app.restored(2)}
    play.expect(before, after, "two windows")
    number = next(
        title for line in app.look().values() for title, states in line["windows"].items()
        if any(state.get("text", "").startswith("Second ") for state in states))
    app.screen.do("windowmove", "--sync", app.focus(number), 500, 0)
    app.settled()
    play.picture("windows-after")
    print("  windows: every widget of both is as before")

    # Closing one of two windows erases its state; only the other one comes back.
    app.closed_sessions = {
        session for session, line in after.items()
        if any(state.get("text", "").startswith("Second ")
               for states in app.look()[session]["windows"].values() for state in states)}
    close(app, number)
    await_until(
        lambda: len([path for path in (play.work / "state/sessions").iterdir() if path.is_dir()])
        == 1, "the end of the second window's state", app.process)
    left = app.settled()
    app.kill()
    app = play.start()
    play.expect(left, {line["session"]: line for line in app.restored()}, "one window")
    app.settled()
    app.kill()
    print("  a closed window stays closed")


def close(app, title):
    """Asks a window to close, as a window manager does."""
    subprocess.run(
        [sys.executable, str(pathlib.Path(__file__).with_name("close_window.py")),
         app.window(title)], env=app.screen.environment, check=True)


def play_late(play):
    """Checks that a list waits for late rows, and that each save until then keeps the list's position."""
    app = play.start("late")
    app.restored()
    window = app.focus("Contacts")
    first = app.widget(next(iter(app.settled().values())), "AllContacts")
    app.click(window, 100, 200)
    app.click(window, 100, 200, button=5, count=9)
    app.keys("Down", "Down", "Down")
    before = app.settled()
    row = app.widget(next(iter(before.values())), "AllContacts")
    if not row.get("selectedRow") or row.get("firstRow") == first.get("firstRow"):
        raise Difference(f"the list has no place to come back to: {row}")
    app.kill()

    app = restart_before_content(play, "late", before, rows_of(app, "AllContacts", "rowCount"))
    app = restart_after_content(play, app, "late", before)
    app.kill()
    print(f"  late rows: {row['selectedRow']} is selected again, below {row['firstRow']} at the top")


def restart_before_content(play, name, before, has_content):
    """Kills and starts the app twice with a save in between, before its content is there, and then lets it arrive."""
    file = play.work / f"{name}-content"
    file.unlink(missing_ok=True)
    app = play.start(name, "--rows-with", file)
    app.restored()
    if any(has_content(line) for line in app.look().values()):
        raise Difference("the content is there too early")
    app.resize("Contacts", 520, 540)
    app.resize("Contacts", *window_size(before))
    app.settled()
    play.picture(name + "-empty")
    app.kill()

    app = play.start(name, "--rows-with", file)
    app.restored()
    app.settled()
    file.touch()
    app.look_until(has_content, "the content")
    return app


def restart_after_content(play, app, name, before):
    """Compares the widgets when their content has arrived, and again after a restart."""
    play.expect(before, app.settled(), "late content")
    play.picture(name + "-content")
    app.kill()
    app = play.start(name)
    play.expect(before, {line["session"]: line for line in app.restored()}, "after late content")
    return app


def play_texts(play):
    """Checks that selections wait for late texts, and that each save until then keeps the selections."""
    app = play.start("texts")
    app.restored()
    app.click(app.focus("Contacts"), 100, 200)
    app.keys("Return")
    app.look_until(has_form, "the form")
    app.keys("Tab", "Tab", "ctrl+End")
    for number in range(24):
        app.type(f"Line {number}.")
        app.keys("Return")
    edited = app.widget(next(iter(app.look().values())), "Note")["text"]
    app.press("Contacts", "Keep")
    await_until((play.work / "texts/contacts.json").exists, "the note in the book", app.process)
    click_on(app, "Name")
    app.keys("End")
    # First a part of the note, with the cursor of the name at its end; then also a part of the name, since a restored
    # selection of the note stays when the user selects elsewhere.
    for name, keys, selection in (
        ("Note", ["ctrl+Home", "Down", "shift+Down", "shift+Down"], [8, 24]),
        ("Name", ["Home", "Right", "shift+Right", "shift+Right"], [1, 3]),
    ):
        click_on(app, name)
        app.keys(*keys)
        app.look_until(
            lambda line: app.widget(line, name)["selection"] == selection, "the selection")
        before = app.settled()
        position = app.widget(next(iter(before.values())), "Note")["position"]
        if app.widget(next(iter(before.values())), "Name")["selection"][1] == 0:
            raise Difference("the cursor of the name has no place to come back to")
        app.kill()
        app = restart_before_content(play, "texts", before, text_of(app, "Note", edited))
        # The text is scrolled once it was laid out.
        app.look_until(lambda line: app.widget(line, "Note")["position"] == position, "the position")
        app = restart_after_content(play, app, "texts", before)
        print(f"  late texts: the selection of the {name.lower()} is back")
    app.kill()


def click_on(app, name):
    left, top, width, height = app.widget(next(iter(app.look().values())), name)["bounds"]
    app.click(app.focus("Contacts"), left + width / 2, top + height / 2)


def has_form(line):
    return any(
        state["name"] == "Name" and state["isMapped"]
        for states in line["windows"].values() for state in states)


def window_size(look):
    """The size of the main window in a look."""
    return next(states[0]["size"] for line in look.values() for states in line["windows"].values())


def play_endings(play):
    """SIGTERM, and a change to another app."""
    app = play.start()
    app.restored()
    app.focus("Contacts")
    app.keys("alt+n")
    app.focus("New contact")
    app.type("Ended by SIGTERM")
    before = app.look_until(
        text_of(app, "Name", "Ended by SIGTERM"), "what was typed")
    if app.kill(signal.SIGTERM) != -signal.SIGTERM:
        raise Difference(f"SIGTERM ended the app with {app.process.returncode}")
    app = play.start()
    play.expect(before, {line["session"]: line for line in app.restored()}, "SIGTERM")
    app.focus("New contact")
    app.settled()
    count = len([line for line in app.lines() if line["event"] == "saved"])
    app.screen.do("windowfocus", "--sync", xroot(app))
    await_until(
        lambda: len([line for line in app.lines() if line["event"] == "saved"]) > count,
        "a save in the background", app.process)
    app.focus("New contact")
    app.keys("alt+c")
    app.look_until(lambda line: len(line["windows"]) == 1, "the end of the dialog")
    app.settled()
    app.kill()
    print("  SIGTERM and the background save")


def xroot(app):
    return app.screen.do("search", "--maxdepth", "0", ".*").split()[0]


def play_refusals(play):
    """Another version, and a damaged file: a new window that gives the reason."""
    for name in ("newer", "damaged"):
        shutil.copytree(play.work / "state", play.work / name)
    app = play.start("newer", "--bundle-version", "2.0")
    notice = app.widget(app.notice(), "Notice")["text"]
    if "1.0" not in notice or "2.0" not in notice:
        raise Difference(f"the second version said: {notice}")
    app.settled()
    play.picture("newer")
    app.kill()
    print(f"  a second version: {notice}")

    files = list((play.work / "damaged/sessions").glob("*/state.keepsake"))
    for file in files:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    app = play.start("damaged")
    notice = app.widget(app.notice(), "Notice")["text"]
    app.settled()
    play.picture("damaged")
    app.kill()
    if not list((play.work / "damaged/sessions").glob("*/state.keepsake.damaged-*")):
        raise Difference("the damaged file is gone")
    print(f"  a damaged file: {notice}")


def play_passphrase(play):
    """A locked key store: a prompt, and after it the window as it was."""
    app = play.start("locked", "--passphrase")
    app.focus("Unlock contacts")
    app.type("correct horse")
    app.keys("Return")
    app.restored()
    window = app.focus("Contacts")
    app.click(window, 100, 200)
    app.click(window, 100, 200, button=5, count=4)
    before = app.settled()
    app.kill()
    app = play.start("locked", "--passphrase")
    app.focus("Unlock contacts")
    app.type("wrong horse")
    app.keys("Return")
    app.type("correct horse")
    app.focus("Unlock contacts")
    # The text of the prompt is only in the picture: the app has no window with a journal yet.
    play.picture("prompt")
    app.keys("Return")
    play.expect(before, {line["session"]: line for line in app.restored()}, "passphrase")
    app.focus("Contacts")
    app.settled()
    play.picture("unlocked")
    app.kill()
    print("  a passphrase: a wrong one opened nothing, the right one brought all back")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenes", default="screens,late,texts,endings,refusals,passphrase")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp())
    pictures = options.pictures or work / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    screen = Screen(work)
    play = Play(options.program, work, screen, pictures)
    try:
        for name in filter(None, options.scenes.split(",")):
            scene = globals()["play_" + name]
            print(scene.__doc__)
            scene(play)
        print("Kills at random moments.")
        kills.play(play, options.kills, options.seed)
    except Exception:
        traceback.print_exc()
        for errors in sorted(work.glob("*.errors")):
            print(f"{errors.name}: {errors.read_text(errors='replace')}")
        screen.picture(pictures / "failed.png")
        print(f"See {work} and {pictures}.", file=sys.stderr)
        return 1
    finally:
        screen.end()
    shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
