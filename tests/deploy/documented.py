"""Prints the commands of the program in the documents' blocks of code, one per line, as they are typed on an installed server.
tests/deploy/package runs them there. $BACKUP is a folder with a backup. Fails if a document's text names a command that no block has."""

import re
import sys
from pathlib import Path

# Commands that an installed server does not have, and commands that need more than it has.
ELSEWHERE = {"demo": "no simulator is in a release", "simulate": "no simulator is in a release"}
# There is no terminal here, nor in tests/api/operating.rs, so every answer is an option.
SETUP = " --brand Bell --public-url https://help.example.com --out written.toml"
# roadcallctl sets both of these options itself.
KNOWN = re.compile(r" --(config roadcall\.toml|data-dir ./data)(?= |$)")
PLACEHOLDER = re.compile(r"(?<= )(FOLDER|/var/backups/roadcall/\d{4}-\S+)(?= |$)")


def documents():
    return sorted(path for path in Path("docs").rglob("*.md") if "adr" not in path.parts)


def typed(text):
    """Returns the lines of blocks of code that begin with the program's name, with continued lines joined."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.match(r"(?:roadcall|roadcallctl)( .*)", line)
            if found:
                command = re.split(r"\s#\s|\s&&\s", found[1])[0]
                yield re.sub(r"\s+", " ", command).rstrip()


def installed(command):
    """Returns the command as it is typed on an installed server, or None if it is not typed there."""
    name = command.split()[0]
    if name in ELSEWHERE or name.startswith("-"):
        return None
    if "age" in re.split(r"[ -]+", command) or "--signer" in command:
        # A clean system has no age, and no key to sign backups with; tests/api/backup runs these commands.
        return None
    if name == "setup":
        # SETUP below says where it writes.
        command = re.sub(r" --(out|data-dir) \S+", "", command)
    command = PLACEHOLDER.sub('"$BACKUP"', command)
    # Only a restore needs a folder of its own, because it writes into an empty one.
    if name != "restore":
        command = KNOWN.sub("", command)
    return "roadcallctl" + command + (SETUP if name == "setup" else "")


def main():
    commands, named = {}, {}
    for path in documents():
        text = path.read_text()
        for command in typed(text):
            line = installed(command)
            if line:
                commands[line] = path
        for name in re.findall(r"`(?:roadcall|roadcallctl) ([a-z]+)(?![\w-])", re.sub(r"\s+", " ", text)):
            named.setdefault(name, path)
    run = {line.split()[1] for line in commands}
    missing = {name: path for name, path in named.items() if name not in run | ELSEWHERE.keys()}
    for name, path in missing.items():
        print(f"{path}: no block of code has `roadcall {name}`, so it is not tried", file=sys.stderr)
    if missing:
        sys.exit(1)
    if len(commands) < 15:
        sys.exit(f"the search itself is broken: only {len(commands)} commands were found")
    print("\n".join(commands))


if __name__ == "__main__":
    main()
