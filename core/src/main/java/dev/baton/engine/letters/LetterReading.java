package dev.baton.engine.letters;

import dev.baton.Message;
import dev.baton.deadletters.DeadLetter;
import dev.baton.engine.message.InboundMessage;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;

/**
 * Combines the two frames of each dead letter, which are read from their topic in order. A description without its message
 * is skipped: a crash interrupted the letter, and it is written again. A message whose description was removed by retention
 * is a letter by itself. Single-threaded.
 */
public final class LetterReading implements FrameHandler {
    /** A callback for dead letters. */
    public interface Handler {
        /**
         * Handles one letter, which is redelivered if this returns RETRY.
         *
         * @param message its second frame, valid until this returns
         */
        Verdict onLetter(DeadLetter letter, InboundMessage message);
    }

    private final String topic;
    private final Handler handler;
    private final InboundMessage message;
    private Incarnation author; // of the current frame; null if it is not known
    private DeadLetter described; // null if a description is expected next
    private long cause;
    private long count;
    private long firstSequence; // of the oldest frame read; 0 for none
    private long lastSequence; // of the newest frame consumed
    private long endOfLetter; // position of the newest complete letter

    public LetterReading(String topic, Handler handler) {
        this.topic = topic;
        this.handler = handler;
        this.message = new InboundMessage(topic);
    }

    /** Returns the number of letters consumed. */
    public long count() {
        return count;
    }

    /** Returns the sequence of the oldest frame read, 0 for none. */
    public long firstSequence() {
        return firstSequence;
    }

    /** Returns the sequence of the newest frame consumed, 0 for none. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the position of the newest complete letter; 0 for none. */
    public long endOfLetter() {
        return endOfLetter;
    }

    /** Returns the incarnation that wrote the current frame; null if the transport does not report it. */
    public Incarnation author() {
        return author;
    }

    @Override
    public void onWriter(Incarnation writer) {
        author = writer;
    }

    @Override
    public Verdict onFrame(Frame frame, long position) {
        String defect = frame.validate();
        if (defect != null) {
            throw new DamagedTopicException(
                    "topic '" + topic + "', sequence " + frame.sequence() + ": " + defect, false);
        }
        if (firstSequence == 0) {
            firstSequence = frame.sequence();
        }
        message.of(frame, frame.head());
        boolean isDescription =
                message.type() == DeadLetter.DESCRIPTION && frame.originNanos() == LetterFormat.DESCRIPTION_ORIGIN;
        boolean isSecond = described != null && message.cause() == cause;
        if (!isDescription && (isSecond || isBehindGap())) {
            DeadLetter letter = isSecond ? described : undescribed();
            if (handler.onLetter(withMessage(letter), message) == Verdict.RETRY) {
                return Verdict.RETRY;
            }
            described = null;
            count++;
            endOfLetter = position;
        } else {
            described = described(message);
            cause = message.cause();
        }
        lastSequence = frame.sequence();
        return Verdict.DONE;
    }

    /** Returns whether the frame before this one is missing in a dead-letter topic. */
    private boolean isBehindGap() {
        return message.sequence() != lastSequence + 1 && DeadLetter.inputOf(topic) != null;
    }

    private DeadLetter described(Message in) {
        DeadLetter letter = LetterFormat.described(in);
        if (letter == null) {
            throw noLetter(in);
        }
        return letter;
    }

    /** Returns a letter of this topic whose description was removed, before its message is added. */
    private DeadLetter undescribed() {
        int attempts = message.cause() == 0 ? 0 : DeadLetter.UNKNOWN;
        return new DeadLetter(DeadLetter.inputOf(topic), "", message.cause(), attempts, "", "", 0, new byte[0]);
    }

    private DeadLetter withMessage(DeadLetter letter) {
        byte[] bytes = new byte[message.length()];
        message.getBytes(0, bytes, 0, bytes.length);
        return new DeadLetter(
                letter.topic(),
                letter.service(),
                letter.sequence(),
                letter.attempts(),
                letter.exception(),
                letter.text(),
                message.type(),
                bytes);
    }

    private IllegalArgumentException noLetter(Message in) {
        return new IllegalArgumentException("topic '" + topic + "', sequence " + in.sequence() + ": type " + in.type()
                + " of " + in.length() + " bytes is no dead letter of version " + LetterFormat.VERSION
                + "; is it a dead-letter topic?");
    }
}
