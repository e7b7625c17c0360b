package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.engine.message.InboundMessage;

/** Applies a service's error policy to the messages at which it throws. Confined to its loop. */
public final class FailedCalls {
    /** What becomes of a message that has failed. */
    enum Outcome {
        /** It is delivered again, at once or after its policy's pause. */
        AGAIN,
        /** Its dead letter is begun; it is consumed when that is stored. */
        LETTER,
        /** It was handed to the policy's handler and is consumed. */
        SKIPPED,
        /** The service has failed: {@link #failure}. */
        STOPPED
    }

    private final ServicePlan plan;
    private final InboundMessage message;
    private final DeadLetterTopic letters; // null: none are written
    private final Listening listening; // null: nobody listens
    private Throwable failure;

    FailedCalls(ServicePlan plan, InboundMessage message, DeadLetterTopic letters, Listening listening) {
        this.plan = plan;
        this.message = message;
        this.letters = letters;
        this.listening = listening;
    }

    /** Decides about the message in hand, which has failed so many times. */
    Outcome after(Throwable thrown, int failures) {
        if (thrown instanceof Error) {
            return stopped(thrown);
        }
        ErrorPolicy policy = plan.errors().of(thrown);
        if (failures <= policy.retries()) {
            if (listening != null) {
                listening.retry(message.sequence(), failures, thrown);
            }
            return Outcome.AGAIN;
        }
        if (policy.writesDeadLetters()) {
            letters.begin(failures, thrown);
            return Outcome.LETTER;
        }
        if (policy.handler() == null) {
            return stopped(thrown);
        }
        try {
            policy.handler().onDeadLetter(plan.name(), message, thrown);
            return Outcome.SKIPPED;
        } catch (Exception | Error refused) {
            refused.addSuppressed(thrown);
            return stopped(refused);
        }
    }

    private Outcome stopped(Throwable by) {
        failure = by;
        return Outcome.STOPPED;
    }

    /** Whether the letter of the message in hand is stored by now; the message is not handled again for it. */
    boolean hasStoredLetter() {
        if (!letters.store(message)) {
            return false;
        }
        if (listening != null) {
            listening.deadLetter(message.sequence(), letters.attempts(), letters.thrown());
        }
        return true;
    }

    /** What has stopped the service. */
    Throwable failure() {
        return failure;
    }
}
