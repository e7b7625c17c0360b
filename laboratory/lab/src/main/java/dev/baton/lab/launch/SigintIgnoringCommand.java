package dev.baton.lab.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * A command whose process ignores a signal from the keyboard, which reaches every process of the terminal: the process is
 * stopped in good order by this one. A signal ignored by a shell stays ignored in what it executes, and a JVM respects that.
 */
final class SigintIgnoringCommand {
    private SigintIgnoringCommand() {}

    /** @param name that the shell is known by until it has executed the command */
    static List<String> of(String name, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", name));
        whole.addAll(command);
        return whole;
    }
}
