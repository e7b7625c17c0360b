package dev.baton.test;

import dev.baton.test.guard.Sent;
import java.util.List;

/**
 * A difference between two runs.
 *
 * @param service by name
 * @param input sequence of the input, 0 where none shows it
 * @param text for people
 * @param cause what was thrown, null for nothing
 */
record Mismatch(String service, long input, String text, Throwable cause) {
    /** Returns the difference between two sets of outputs for one input. */
    static Mismatch ofInput(String service, long input, Sent content, List<Sent> expected, List<Sent> found) {
        return new Mismatch(
                service,
                input,
                "service " + service + " is not repeatable: for input " + input + " (" + content + ")"
                        + System.lineSeparator() + "  undisturbed it sent " + text(expected) + System.lineSeparator()
                        + "  disturbed it sent   " + text(found),
                null);
    }

    /** Returns the difference between the final contents of a topic. */
    static Mismatch ofTopic(String service, String what, List<Sent> expected, List<Sent> found) {
        int same = 0;
        while (same < expected.size()
                && same < found.size()
                && expected.get(same).equals(found.get(same))) {
            same++;
        }
        return new Mismatch(
                service,
                0,
                "service " + service + " is not repeatable: " + what + ", output " + (same + 1) + System.lineSeparator()
                        + "  undisturbed is " + at(expected, same) + System.lineSeparator() + "  disturbed is   "
                        + at(found, same),
                null);
    }

    /** Returns the difference between a run that fails and one that does not. */
    static Mismatch ofFailure(String service, String how, Throwable failure) {
        return new Mismatch(service, 0, "service " + service + " " + how + ": " + failure.getMessage(), failure);
    }

    private static String at(List<Sent> outputs, int index) {
        return index < outputs.size()
                ? outputs.get(index) + ", one of " + outputs.size()
                : "missing: there are " + outputs.size();
    }

    private static String text(List<Sent> outputs) {
        return outputs.isEmpty()
                ? "nothing"
                : outputs.size() == 1 ? outputs.get(0).toString() : outputs.toString();
    }
}
