package dev.baton.lab.study.chaos.storage;

import dev.baton.lab.study.chaos.InjectedFault;
import java.util.Locale;

/**
 * One fault of storage and its outcome. Immutable, thread-safe.
 *
 * @param number counted from 1 in its set-up
 * @param what the damage, such as {@code queues/chaos-0/metadata.cq4t, byte 301, bit 5}
 * @param words the observation: the error, the warning, or what is wrong; null: there is nothing to report
 */
public record StorageFaultOutcome(int number, InjectedFault.Kind kind, String what, Outcome outcome, String words) {
    /** The outcomes of a fault of storage. The last three are failures. */
    public enum Outcome {
        /** Everything was delivered as it was sent, once to each topic; the receiver may get messages again. */
        HARMLESS,
        /** The same, and a warning names what was repaired. */
        REPAIRED,
        /** Refused or reported, with the file or the topic, the place and the remedy. */
        DETECTED,
        /** Stored messages at the end are lost after a restart of the host, and a warning has the numbers: the class {@code process}. */
        ANNOUNCED,
        /** A loss like {@link #ANNOUNCED} without a warning, as the topic's own record of its end was not synced either. */
        UNRECORDED,
        /** Refused or reported, though the class {@code host} promises that everything stored is readable after a power failure. */
        BROKEN,
        /** Refused, and the text lacks the file or topic, the place or the remedy. */
        UNCLEAR,
        /** Messages were lost, altered, doubled or skipped, or the chain was stalled or crashed, and nothing reported it. */
        SILENT;

        /** {@return the word in tables} */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        public boolean isFailure() {
            return compareTo(BROKEN) >= 0;
        }
    }

    /** {@return a text for people} */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + number + " (" + what + "): " + outcome
                + (words == null ? "" : ": " + words);
    }
}
