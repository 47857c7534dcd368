#!/usr/bin/env python3
"""Writes a 32-bit x86 program that runs /bin/busybox with its own arguments and environment.

    elf32.py OUTPUT

It stands for the shell of a 32-bit system under a 64-bit kernel, which no package here has.
"""

import os
import struct
import sys

BASE, PATH = 0x08048000, b"/bin/busybox\0"
HEAD = 52 + 32
code = (
    b"\x8b\x04\x24"  # mov eax, [esp]          the number of arguments
    b"\x8d\x4c\x24\x04"  # lea ecx, [esp+4]        the arguments
    b"\x8d\x54\x81\x04"  # lea edx, [ecx+eax*4+4]  the environment behind them
    b"\xbb" + struct.pack("<I", 0) +  # mov ebx, PATH, filled in below
    b"\xb8\x0b\x00\x00\x00"  # mov eax, execve
    b"\xcd\x80"  # int 0x80
    b"\xbb\x7f\x00\x00\x00\xb8\x01\x00\x00\x00\xcd\x80"  # exit(127)
)
code = code.replace(b"\xbb\0\0\0\0", b"\xbb" + struct.pack("<I", BASE + HEAD + len(code)))
size = HEAD + len(code) + len(PATH)
ident = b"\x7fELF\x01\x01\x01" + bytes(9)
header = ident + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, BASE + HEAD, 52, 0, 0, 52, 32, 1, 0, 0, 0)
segment = struct.pack("<IIIIIIII", 1, 0, BASE, BASE, size, size, 5, 0x1000)
with open(sys.argv[1], "wb") as file:
    file.write(header + segment + code + PATH)
os.chmod(sys.argv[1], 0o755)
