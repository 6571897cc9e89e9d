"""Runs a command in a pseudo-terminal of 80 columns, which shows its output and forwards the standard input.

usage: run-in-terminal.py <answer> <program> [<argument>...]

Types the answer after each question that ends with "[y/N] " or "Password: ", and Enter unless it is Ctrl-C. Exits like the
program.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

answer, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
sources = [terminal, 0]
shown = b""
while True:
    readable, _, _ = select.select(sources, [], [])
    if 0 in readable:
        typed = os.read(0, 4096)
        if typed:
            os.write(terminal, typed)
        else:
            sources.remove(0)
    if terminal in readable:
        try:
            output = os.read(terminal, 65536)
        except OSError:
            # Linux reports the end of a terminal so.
            break
        if not output:
            break
        os.write(1, output)
        shown = (shown + output)[-100:]
        if shown.endswith((b"[y/N] ", b"Password: ")):
            shown = b""
            os.write(terminal, answer.encode() + (b"" if answer == "\x03" else b"\n"))
_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
