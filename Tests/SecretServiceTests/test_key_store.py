"""Tests the key store of Sources/SecretService with a real gnome-keyring in separate session buses.

    python3 Tests/SecretServiceTests/test_key_store.py PROGRAM

PROGRAM is secret-service-subject. Each test has its own home and bus.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = ""
APPLICATION = "com.example.notes"
ATTRIBUTES = f"xdg:schema keepsake.Key application {APPLICATION} account state"

UNLOCKED = "printf %s password | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
# The bus starts the keyring without a password.
LOCKED = ":"


class Sessions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.file = self.home / "sealed"
        for name in ("home", "data", "runtime"):
            (self.home / name).mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home / "home"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_RUNTIME_DIR": str(self.home / "runtime"),
        }

    def script(self, *commands, bus=True):
        """Runs commands in one new session, and returns their output lines."""
        text = "\n".join(commands)
        program = ["bash", "-c", text]
        if bus:
            program = ["dbus-run-session", "--", *program]
        result = subprocess.run(
            program, env=self.environment, capture_output=True, text=True, errors="replace", timeout=60
        )
        self.assertNotIn("Fatal error", result.stderr)
        return result.stdout.splitlines()

    def subject(self, verb):
        return shlex.join([PROGRAM, verb, APPLICATION, str(self.file)])

    def services(self, name, command):
        """Makes the bus start another program as the service."""
        folder = self.home / "data" / "dbus-1" / "services"
        folder.mkdir(parents=True)
        program = self.home / name
        program.write_text(f"#!/bin/sh\n{command}\n")
        program.chmod(0o700)
        (folder / "org.freedesktop.secrets.service").write_text(
            f"[D-BUS Service]\nName=org.freedesktop.secrets\nExec={program}\n"
        )


class Keys(Sessions):
    def test_a_key_is_made_once_and_read_by_later_sessions(self):
        self.assertEqual(
            self.script(
                UNLOCKED, self.subject("new"), self.subject("existing"), self.subject("new"),
                self.subject("existing"),
            ),
            ["sealed", "kept", "sealed", "kept"],
        )
        self.assertEqual(self.script(UNLOCKED, self.subject("existing")), ["kept"])

    def test_an_absent_key_is_reported_and_not_made(self):
        lines = self.script(
            UNLOCKED, self.subject("existing"), f"secret-tool search --all {ATTRIBUTES} 2>&1"
        )
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], "^keyAbsent: There is no key .*\\.$")

    def test_a_locked_keyring_is_told_from_an_absent_key_and_no_key_is_made(self):
        self.assertEqual(self.script(UNLOCKED, self.subject("new")), ["sealed"])
        lines = self.script(
            LOCKED, self.subject("existing"), self.subject("new"), self.subject("aside")
        )
        self.assertEqual([line.split(":")[0] for line in lines], ["keyLocked"] * 3)
        # No user can answer the dialog here, and the key is the same afterwards.
        self.assertEqual(
            self.script(LOCKED, self.subject("unlock"))[0].split(":")[0], "keyLocked"
        )
        self.assertEqual(self.script(UNLOCKED, self.subject("existing")), ["kept"])

    def test_a_locked_keyring_without_the_key_is_locked(self):
        self.script(UNLOCKED, "printf x | secret-tool store --label=other other thing")
        lines = self.script(LOCKED, self.subject("existing"), self.subject("new"))
        self.assertEqual([line.split(":")[0] for line in lines], ["keyLocked"] * 2)
        self.assertFalse(self.file.exists())

    def test_a_key_of_another_length_is_damaged_and_stays(self):
        for length in (0, 31, 33):
            with self.subTest(length=length):
                lines = self.script(
                    UNLOCKED,
                    f"head -c {length} /dev/zero | tr '\\0' x | "
                    f"secret-tool store --label=key {ATTRIBUTES}",
                    self.subject("existing"), self.subject("new"),
                    f"secret-tool lookup {ATTRIBUTES} | wc -c",
                )
                self.assertEqual(
                    [line.split(":")[0] for line in lines], ["keyDamaged"] * 2 + [str(length)]
                )

    def test_another_key_opens_nothing(self):
        lines = self.script(
            UNLOCKED, self.subject("new"),
            f"head -c 32 /dev/zero | tr '\\0' x | secret-tool store --label=key {ATTRIBUTES}",
            self.subject("existing"),
        )
        self.assertEqual(lines[0], "sealed")
        self.assertRegex(lines[1], "^noMatchingKey: ")

    def test_a_key_set_aside_stays_in_the_keyring_under_another_name(self):
        lines = self.script(
            UNLOCKED, self.subject("aside"), self.subject("new"), self.subject("aside"),
            self.subject("existing"), self.subject("new"), self.subject("aside"),
            f"secret-tool search --all application {APPLICATION} 2>&1 | grep -ao 'set-aside-.*' | sort",
        )
        self.assertEqual(lines[:3], ["set aside", "sealed", "set aside"])
        self.assertRegex(lines[3], "^keyAbsent: ")
        self.assertEqual(lines[4:], ["sealed", "set aside", "set-aside-1", "set-aside-2"])

    def test_one_of_several_processes_makes_the_key(self):
        make = f"({self.subject('new')} & {self.subject('new')} & {self.subject('new')} & wait)"
        for _ in range(5):
            lines = self.script(
                UNLOCKED, make, self.subject("existing"), self.subject("aside"),
                f"secret-tool search --all {ATTRIBUTES} 2>&1",
            )
            self.assertEqual(lines, ["sealed"] * 3 + ["kept", "set aside"])


class Buses(Sessions):
    def assertUnavailable(self, lines, part):
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], "^keyUnavailable: .*\\.$")
        self.assertIn(part, lines[0])
        self.assertFalse(self.file.exists())

    def test_a_process_without_a_session_bus_gets_an_error(self):
        for verb in ("existing", "new", "aside", "unlock"):
            with self.subTest(verb=verb):
                self.assertUnavailable(
                    self.script(self.subject(verb), bus=False), "no session bus"
                )

    def test_a_bus_without_the_service_is_an_error(self):
        self.services("nothing", "exit 1")
        self.assertUnavailable(self.script(self.subject("new")), "did not answer")

    def test_a_bus_that_dies_during_the_call_is_an_error(self):
        # The bus starts the service, which kills the bus.
        self.services("killer", "kill -9 $PPID")
        self.assertUnavailable(self.script(self.subject("new")), "did not answer")


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
