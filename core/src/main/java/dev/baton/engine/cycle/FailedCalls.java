package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.ServiceFailure;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
import java.lang.System.Logger.Level;

/** Applies a service's error policy to the messages at which it throws, and keeps the failure that stops it. Confined to its loop. */
final class FailedCalls {
    /** The action taken for a message that has failed. */
    enum Outcome {
        /** The message is delivered again, at once or after the pause of its policy. */
        AGAIN,
        /** The dead letter of the message is begun; the message is consumed when the letter is stored. */
        LETTER,
        /** The message was passed to the handler of the policy and is consumed. */
        SKIPPED,
        /** The service has failed and is not called again. */
        STOPPED
    }

    private final PartPlan plan;
    private final InboundMessage message;
    private final DeadLetterTopic letters; // null if the policy writes no dead letters
    private final PartListener listening; // null if the chain has no listener
    private ErrorPolicy.DeadLetterHandler stored; // handler of the letter in progress; null for none
    private Throwable failure; // stopped the service; null if nothing did
    private long failedAt; // sequence of the input at which it failed

    FailedCalls(PartPlan plan, InboundMessage message, DeadLetterTopic letters, PartListener listening) {
        this.plan = plan;
        this.message = message;
        this.letters = letters;
        this.listening = listening;
    }

    PartPlan plan() {
        return plan;
    }

    /** Returns the view of the current message. */
    InboundMessage message() {
        return message;
    }

    /** Returns the dead-letter topic; null if the policy writes none. */
    DeadLetterTopic letters() {
        return letters;
    }

    /** Decides about the current message after this number of failures. */
    Outcome after(Throwable thrown, int failures) {
        if (thrown instanceof Error) {
            return stopped(thrown);
        }
        if (isRetried(thrown, failures)) {
            if (listening != null) {
                listening.retry(message.sequence(), failures, thrown);
            }
            return Outcome.AGAIN;
        }
        ErrorPolicy policy = plan.errors().of(thrown);
        if (policy.writesDeadLetters()) {
            letters.begin(failures, thrown);
            stored = policy.handler();
            return Outcome.LETTER;
        }
        if (policy.handler() == null) {
            return stopped(thrown);
        }
        try {
            policy.handler().onDeadLetter(plan.name(), message, failures, thrown);
            return Outcome.SKIPPED;
        } catch (Exception | Error refused) {
            if (refused != thrown) { // a handler may rethrow what it was given
                refused.addSuppressed(thrown);
            }
            return stopped(refused);
        }
    }

    /** Returns whether a message is delivered again after this number of failures. */
    boolean isRetried(Throwable thrown, int failures) {
        return !(thrown instanceof Error)
                && failures <= plan.errors().of(thrown).retries();
    }

    private Outcome stopped(Throwable by) {
        failure = by;
        failedAt = message.sequence();
        return Outcome.STOPPED;
    }

    /** Stops the service because of a failure outside of an input. */
    void stop(Throwable by) {
        failure = by;
        failedAt = ServiceFailure.NO_MESSAGE;
    }

    /** Returns whether the service has failed. It is not called again, because half of its state may be changed. */
    boolean hasStopped() {
        return failure != null;
    }

    /** Throws if the service has failed. */
    void check() {
        if (failure != null) {
            throw new ServiceFailure(plan.name(), plan.input(), failedAt, failure);
        }
    }

    /**
     * Returns whether the letter of the current message is stored. Until then the message is redelivered but not handled
     * again.
     */
    boolean hasStoredLetter() {
        if (!letters.store(message)) {
            return false;
        }
        if (listening != null) {
            listening.deadLetter(message.sequence(), letters.attempts(), letters.thrown());
        }
        if (stored != null) {
            notifyStored();
        }
        return true;
    }

    private void notifyStored() {
        try {
            stored.onDeadLetter(plan.name(), message, letters.attempts(), letters.thrown());
        } catch (Exception failed) {
            System.getLogger("dev.baton")
                    .log(
                            Level.WARNING,
                            "service " + plan.name() + ": the handler of the dead letter of message "
                                    + message.sequence() + " failed: " + failed,
                            failed);
        } finally {
            stored = null;
        }
    }
}
