/// The words of a command that runs another command without blocked or ignored signals, as a shell does.
///
/// They go before the words of the other command.
///
/// The threads of tests block most signals, and the program that runs the tests may ignore some, as nohup does. A
/// new process would inherit both.
package let withDefaultSignals = [
  "/usr/bin/env", "perl", "-e",
  "use POSIX; $SIG{$_} = q(DEFAULT) for qw(INT TERM HUP); "
    + "sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV or exit 127",
]
