/// A command that runs another one with no signal blocked or ignored, as a shell would: it goes before the words of
/// the other one.
///
/// Threads that tests run on block most signals, and what runs the tests may ignore some, as nohup does; a program
/// inherits both.
package let withDefaultSignals = [
  "/usr/bin/env", "perl", "-e",
  "use POSIX; $SIG{$_} = q(DEFAULT) for qw(INT TERM HUP); "
    + "sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV or exit 127",
]
