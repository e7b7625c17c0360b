package dev.baton.lab.doctor;

/**
 * One matter that was looked at. Immutable, thread-safe.
 *
 * @param letter the best that a machine like this can have; null when it could not be seen
 * @param subject in a word or two
 * @param found with its figure
 * @param why it matters; null when nothing is wrong
 * @param remedy the command that fixes it, or who can; null when nothing need be done
 */
public record Finding(GradeLetter letter, String subject, String found, String why, String remedy) {
    /** Creates a finding without a fault. */
    static Finding fine(String subject, String found) {
        return new Finding(GradeLetter.A, subject, found, null, null);
    }

    /** The machine does not show it. */
    static Finding hidden(String subject, String what) {
        return new Finding(null, subject, what, null, null);
    }

    /** Creates a finding with a computed letter; an A means that nothing is wrong. */
    static Finding of(GradeLetter letter, String subject, String found, String why, String remedy) {
        return letter == GradeLetter.A ? fine(subject, found) : new Finding(letter, subject, found, why, remedy);
    }

    /** {@return whether it lowers the grade} */
    public boolean isFault() {
        return letter != null && letter != GradeLetter.A;
    }
}
