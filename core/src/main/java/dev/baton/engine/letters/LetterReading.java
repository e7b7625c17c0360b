package dev.baton.engine.letters;

import dev.baton.Message;
import dev.baton.deadletters.DeadLetter;
import dev.baton.engine.message.InboundMessage;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.Incarnation;
import dev.baton.spi.errors.DamagedTopicException;

/**
 * Puts the two frames of each dead letter together, as they are read from their topic in order. A description without its
 * message is passed over: a crash cut the letter off, and it follows again. A message whose description is gone, because
 * retention removed what was before it, is a letter by itself. Single-threaded.
 */
public final class LetterReading implements FrameHandler {
    /** Takes letters. */
    public interface Handler {
        /**
         * Takes one letter; RETRY: it comes again.
         *
         * @param message its second frame, valid until this returns
         */
        Verdict onLetter(DeadLetter letter, InboundMessage message);
    }

    private final String topic;
    private final Handler handler;
    private final InboundMessage message;
    private Incarnation author; // of the frame in hand; null: not known
    private DeadLetter described; // null: a description is due
    private long cause;
    private long count;
    private long firstSequence; // of the oldest frame met; 0 for none
    private long lastSequence; // of the newest frame taken
    private long endOfLetter; // position of the newest whole letter

    public LetterReading(String topic, Handler handler) {
        this.topic = topic;
        this.handler = handler;
        this.message = new InboundMessage(topic);
    }

    /** Letters taken. */
    public long count() {
        return count;
    }

    /** Sequence of the oldest frame met, 0 for none. */
    public long firstSequence() {
        return firstSequence;
    }

    /** Sequence of the newest frame taken, 0 for none. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Position of the newest whole letter; 0 for none. */
    public long endOfLetter() {
        return endOfLetter;
    }

    /** Who wrote the frame in hand; null where the transport cannot tell. */
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

    /** Returns a letter of this topic whose description is gone, before its message is added. */
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
