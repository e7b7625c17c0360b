package dev.baton.lab.study.comparison;

import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;

/** The rule that figures of altered or missing files are not compared. Stateless, thread-safe. */
final class Unaltered {
    private Unaltered() {}

    /**
     * Says what is wrong with the files of one side.
     *
     * @param isForced whether it is enough to say so
     * @throws Refusal when something is wrong and that is not enough
     */
    static void require(ComparisonSide side, boolean isForced, String command, Console console) {
        if (side.complaints().isEmpty()) {
            return;
        }
        if (!isForced) {
            throw CommandException.usage(side.path() + " is not whole: " + String.join("; ", side.complaints())
                    + "; --anyway compares the rest");
        }
        side.complaints().forEach(complaint -> console.complain(command + ": " + complaint));
    }
}
