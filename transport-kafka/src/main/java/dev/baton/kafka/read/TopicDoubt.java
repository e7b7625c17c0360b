package dev.baton.kafka.read;

/**
 * The doubt whether a reader's topic is still the one of its name, as the position of its consumer is that in another one: a new
 * topic, or a former one whose reader has not noticed its end. Thread-safe.
 */
final class TopicDoubt {
    private boolean isOpen; // guarded by this, as the others
    private boolean isChecked; // the present check began later than the doubt
    private boolean isConfirmed; // the topic is the reader's, and the position that of a former one

    /** Begins a doubt, which lasts until a check that begins later. */
    synchronized void begin() {
        isOpen = true;
    }

    synchronized boolean isOpen() {
        return isOpen;
    }

    /** Notes the beginning of a check of the topic. */
    synchronized void checkBegins() {
        isChecked = isOpen;
    }

    /** Notes that the check has found the reader's topic. */
    synchronized void confirmed() {
        if (isChecked) {
            isOpen = false;
            isConfirmed = true;
        }
    }

    /** Returns whether the topic was confirmed, for one store of the position. */
    synchronized boolean takeConfirmation() {
        boolean was = isConfirmed;
        isConfirmed = false;
        return was;
    }
}
