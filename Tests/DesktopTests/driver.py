"""A screen without a desktop, and the contacts app on it, controlled by keys and the mouse as by a user."""

import json
import os
import pathlib
import signal
import subprocess
import time

PATIENCE = 60
VIEWS = {"GtkEntry", "GtkTextView", "GtkListView"}
COMPARED = VIEWS | {"GtkWindow", "GtkNotebook", "GtkStack"}


class Difference(Exception):
    """The error of an app that showed something wrong."""


def await_until(condition, what, process=None):
    """Waits until a condition is true, at most for PATIENCE and while a process runs; returns its value."""
    end = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if process is not None and process.poll() is not None:
            raise Difference(f"the app ended with {process.returncode} before {what}")
        if time.monotonic() > end:
            raise Difference(f"waited in vain for {what}")
        time.sleep(0.02)


class Screen:
    """An X server in memory, without a window manager."""

    def __init__(self, work):
        self.work = work
        reading, writing = os.pipe()
        # Without -noreset, the server starts anew when its last client ends, and refuses an app meanwhile.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1100x700x24", "-nolisten", "tcp",
             "-noreset"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = ":" + number.readline().strip()
        # A cursor that blinks, or a button that fades, would change the picture.
        settings = work / "config" / "gtk-4.0" / "settings.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text(
            "[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n"
            "gtk-overlay-scrolling=false\ngtk-font-name=DejaVu Sans 10\n")
        self.environment = os.environ | {
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
            "GSETTINGS_BACKEND": "memory", "XDG_CONFIG_HOME": str(work / "config"),
            "HOME": str(work), "NO_AT_BRIDGE": "1", "SWIFT_BACKTRACE": "enable=no",
        }
        self.environment.pop("WAYLAND_DISPLAY", None)

    def do(self, *arguments):
        """Presses keys or moves the mouse, and returns the output."""
        run = subprocess.run(
            ["xdotool", *map(str, arguments)], env=self.environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return run.stdout

    def picture(self, path):
        subprocess.run(
            ["import", "-window", "root", str(path)], env=self.environment, check=True)

    def end(self):
        self.server.kill()
        self.server.wait()


def compared(line):
    """The parts of a line of the journal that must be equal before and after a restart, by windows.

    Positions in a list are compared only when the list is visible; bounds follow from the rest.
    """
    windows = {}
    for title, states in (line.get("windows") or {}).items():
        kept = []
        for state in states:
            if state["kind"] not in COMPARED:
                continue
            state = {k: v for k, v in state.items() if k not in ("bounds", "isFocused", "marksFocus")}
            if not (state["isMapped"] and line["isSettled"]):
                for key in ("position", "firstRow"):
                    state.pop(key, None)
            kept.append(state)
        windows[title.split(" ")[0]] = kept
    return windows


def focused(line):
    """The texts and lists that get what the user types, one for each window at most."""
    return {
        (title.split(" ")[0], state["name"])
        for title, states in (line.get("windows") or {}).items()
        for state in states
        if state["isFocused"] and state["kind"] in VIEWS
    }


def differences(before, after):
    """The differences between two lines, as sentences; empty when both show the same."""
    first, second = compared(before), compared(after)
    # A line that was encoded before the first frame does not show which widgets are visible.
    is_shown = all(states[0]["isMapped"] for line in (first, second) for states in line.values())
    if not (before["isSettled"] and after["isSettled"] and is_shown):
        for state in [state for line in (first, second) for states in line.values() for state in states]:
            for key in ("position", "firstRow", *(() if is_shown else ["isMapped"])):
                state.pop(key, None)
    found = []
    if first.keys() != second.keys():
        found.append(f"the windows {sorted(first)} became {sorted(second)}")
    for title in first.keys() & second.keys():
        if len(first[title]) != len(second[title]):
            found.append(f"{title} has {len(second[title])} widgets in place of {len(first[title])}")
        for one, other in zip(first[title], second[title]):
            # A list without a layout has no position yet.
            if one.get("firstRow") is None or other.get("firstRow") is None:
                for state in (one, other):
                    if state["kind"] == "GtkListView":
                        state.pop("position", None), state.pop("firstRow", None)
            for key in sorted(one.keys() | other.keys()):
                # The wheel can leave a fraction of a pixel, which GTK removes at the next frame.
                if key == "position" and abs(one.get(key, 0) - other.get(key, 0)) < 1:
                    continue
                if one.get(key) != other.get(key):
                    found.append(
                        f"{title}: {one['kind']} {one['name']}: {key} {one.get(key)!r} became "
                        f"{other.get(key)!r}")
    if not focused(before) <= focused(after):
        found.append(f"the focus {focused(before)} became {focused(after)}")
    return found


class App:
    """One run of the app."""

    def __init__(self, screen, program, directory, *options):
        self.screen = screen
        self.journal = pathlib.Path(directory).parent / (pathlib.Path(directory).name + ".journal")
        self.start = self.journal.stat().st_size if self.journal.exists() else 0
        self.began = time.monotonic()
        self.errors = open(self.journal.with_suffix(".errors"), "ab")
        self.process = subprocess.Popen(
            [program, "--directory", str(directory), "--journal", str(self.journal), *options],
            env=screen.environment, stdin=subprocess.PIPE, stderr=self.errors)

    def lines(self):
        """The lines that this run has written so far, without a last line that its end cut short."""
        if not self.journal.exists():
            return []
        with open(self.journal, "rb") as file:
            file.seek(self.start)
            return [json.loads(line) for line in file.read().split(b"\n")[:-1]]

    def window(self, title):
        """The number of the window with a title, once the window is on the screen."""
        def found():
            numbers = self.screen.do(
                "search", "--all", "--onlyvisible", "--pid", self.process.pid, "--name", f"^{title}$")
            return numbers.split()
        return await_until(found, f"the window {title}", self.process)[0]

    def focus(self, title):
        """Gives the focus to a window, and returns the number of the window."""
        number = self.window(title)
        self.screen.do("windowraise", number, "windowfocus", "--sync", number)
        return number

    def restored(self, count=1):
        """The lines about what the launch restored, once all of it has a layout."""
        def found():
            lines = [line for line in self.lines() if line["event"] == "restored"]
            return lines if len(lines) >= count else None
        return await_until(found, "what was restored", self.process)

    def look(self):
        """The lines that describe the windows now, by sessions."""
        def shown():
            return [line for line in self.lines() if line["event"] == "shown"]
        def answered():
            new = shown()[before:]
            return new if len(new) >= count else None
        before = len(shown())
        count = len({line["session"] for line in self.lines()} - self.closed())
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        return {line["session"]: line for line in await_until(answered, "a look", self.process)}

    def closed(self):
        return getattr(self, "closed_sessions", set())

    def look_until(self, condition, what):
        """Looks until a condition is true for a window, and returns that look."""
        def seen():
            lines = self.look()
            return lines if any(condition(line) for line in lines.values()) else None
        return await_until(seen, what, self.process)

    def settled(self):
        """The lines that describe the windows, once nothing moves and the whole state was reported as saved."""
        def found():
            look = self.look()
            lines = self.lines()
            for session, line in look.items():
                events = [entry for entry in lines if entry["session"] == session]
                last = [entry for entry in events if entry["event"] == "encoded"]
                done = [entry["number"] for entry in events if entry["event"] == "saved"]
                if not line["isSettled"] or not last or last[-1]["number"] not in done:
                    return None
                if differences(last[-1], line):
                    return None
            return look
        return await_until(found, "everything to be saved", self.process)

    def unmarked(self):
        """Waits until no window marks its focus; GTK marks it for three seconds after a key."""
        def found():
            return not any(
                state.get("marksFocus") for line in self.look().values()
                for states in line["windows"].values() for state in states)
        await_until(found, "the mark of the focus to fade", self.process)

    def widget(self, line, name):
        """A widget of a line by its name."""
        for states in line["windows"].values():
            for state in states:
                if state["name"] == name:
                    return state
        raise Difference(f"there is no {name}")

    def notice(self):
        """The line of the first window with a notice for the user."""
        self.restored()
        return next(iter(self.look_until(
            lambda line: self.widget(line, "Notice")["text"], "a notice").values()))

    def click(self, number, x, y, button=1, count=1):
        self.screen.do(
            "mousemove", "--window", number, int(x), int(y), "click", "--repeat", count,
            "--delay", 20, button)

    def click_tab(self, title, index):
        """Clicks the first or the second tab of a window."""
        left, top, _, _ = next(
            state["bounds"] for line in self.look().values() for state in line["windows"].get(title, [])
            if state["kind"] == "GtkNotebook")
        self.click(self.focus(title), left + (50, 140)[index], top + 18)

    def press(self, title, name):
        """Clicks the button of a name that the user can see in a window."""
        def found():
            for line in self.look().values():
                for state in line["windows"].get(title, []):
                    if state["kind"] == "GtkButton" and state["name"] == name and state["isMapped"]:
                        return state["bounds"]
            return None
        left, top, width, height = await_until(found, f"the button {name}", self.process)
        self.click(self.focus(title), left + width / 2, top + height / 2)

    def press_until(self, title, name, change):
        """Clicks a button, and looks until a value of the windows has changed."""
        before = [change(line) for line in self.look().values()]
        self.press(title, name)
        await_until(
            lambda: [change(line) for line in self.look().values()] != before,
            f"what {name} does", self.process)

    def rest_mouse(self):
        """Moves the mouse to a place where it highlights nothing."""
        self.screen.do("mousemove", 1099, 699)

    def resize(self, title, width, height):
        """Changes the size of a window, and waits until the app knows of it; the server knows it earlier."""
        self.screen.do("windowsize", "--sync", self.focus(title), width, height)
        self.look_until(
            lambda line: line["windows"].get(title, [{}])[0].get("size") == [width, height],
            f"the size {width} x {height} of {title}")

    def keys(self, *keys):
        self.screen.do("key", "--delay", 15, *keys)

    def type(self, text):
        self.screen.do("type", "--delay", 15, text)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    @property
    def is_alive(self):
        return self.process.poll() is None
