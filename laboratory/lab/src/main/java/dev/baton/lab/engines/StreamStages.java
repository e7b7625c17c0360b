package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.spi.TransportException;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What the threads of {@link StreamLibrary} do: claim in the log, write and commit; poll an image and handle its fragments;
 * idle where there is none, and where there is no room.
 */
final class StreamStages {
    /** Of a poll, in Aeron's samples. */
    static final int FRAGMENT_LIMIT = 10;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final long CHECK_NANOS = 1_000_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private StreamStages() {}

    /** Whether a claim was granted; otherwise there is no room, or no reader yet. */
    private static boolean isGranted(long result, Publication publication) {
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
            throw refused(result, publication.streamId());
        }
        return result > 0;
    }

    private static TransportException refused(long result, int stream) {
        return new TransportException("stream " + stream + " takes nothing more: " + Publication.errorString(result));
    }

    /** Claims in a chain's first stream. Confined to its thread. */
    static final class Inlet implements Stage.Inlet {
        private final ExclusivePublication publication;
        private final PayloadPattern pattern;
        private final BufferClaim claim = new BufferClaim();
        private byte[] scratch;
        private long sequence;

        Inlet(ExclusivePublication publication, PayloadPattern pattern) {
            this.publication = publication;
            this.pattern = pattern;
        }

        @Override
        public void open() {
            scratch = pattern.scratch();
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            if (!isGranted(publication.tryClaim(Header.BYTES + pattern.length(), claim), publication)) {
                return false;
            }
            MutableDirectBuffer buffer = claim.buffer();
            int at = claim.offset();
            buffer.putLong(at, Header.first(tag), ORDER);
            buffer.putLong(at + Header.SEQUENCE, ++sequence, ORDER);
            buffer.putLong(at + Header.CAUSE, 0, ORDER);
            buffer.putLong(at + Header.ORIGIN, originNanos, ORDER);
            buffer.putLong(at + Header.SENT, System.nanoTime(), ORDER);
            pattern.write(number, scratch, 0);
            buffer.putBytes(at + Header.BYTES, scratch, 0, pattern.length());
            claim.commit();
            return true;
        }

        @Override
        public void close() {
            publication.close();
        }
    }

    /** Polls a stream's image, and handles its fragments. Confined to its thread, but for {@link #halt}. */
    private abstract static class Polling extends Stage.Turning implements FragmentHandler {
        private final Subscription subscription;
        private Image image;
        private long emptyAt = -1; // position at the last look that found nothing

        Polling(Subscription subscription, Pause pause) {
            super(pause);
            this.subscription = subscription;
        }

        @Override
        public void open() {
            long begun = System.nanoTime();
            while (subscription.imageCount() == 0) {
                if (System.nanoTime() - begun > LIMIT_NANOS) {
                    throw new TransportException("stream " + subscription.streamId() + " has no image after "
                            + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s");
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
            image = subscription.imageAtIndex(0);
        }

        @Override
        boolean turn() {
            if (image.poll(this, FRAGMENT_LIMIT) > 0) {
                return true;
            }
            if (subscription.isClosed()) {
                throw refused(Publication.CLOSED, subscription.streamId());
            }
            return false;
        }

        /** A poll that finds no fragment may have passed the end of a term. */
        @Override
        boolean hasTakenAll() {
            long position = image.position();
            boolean hasStood = position == emptyAt;
            emptyAt = position;
            return hasStood;
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    /**
     * A service: copies each fragment into the next stream. Where that is full it idles, but not for ever: the reader of the
     * next stream may have stopped.
     */
    static final class Relay extends Polling {
        private final ExclusivePublication next;
        private final Pause pause;
        private final BufferClaim claim = new BufferClaim();
        private long sequence;
        private volatile boolean isGivenUp;

        Relay(Subscription from, ExclusivePublication next, Pause pause) {
            super(from, pause);
            this.next = next;
            this.pause = pause;
        }

        @Override
        public void onFragment(DirectBuffer in, int from, int length, io.aeron.logbuffer.Header header) {
            while (!isGranted(next.tryClaim(length, claim), next)) {
                if (isGivenUp) {
                    return;
                }
                pause.rest();
            }
            claim.flags(header.flags()).putBytes(in, from, length);
            MutableDirectBuffer out = claim.buffer();
            int at = claim.offset();
            out.putLong(at, in.getLong(from, ORDER) + Header.ONE_HOP, ORDER);
            out.putLong(at + Header.SEQUENCE, ++sequence, ORDER);
            out.putLong(at + Header.CAUSE, in.getLong(from + Header.SEQUENCE, ORDER), ORDER);
            claim.commit();
        }

        /** From now on what finds no room is dropped. */
        @Override
        public void halt() {
            isGivenUp = true;
        }

        @Override
        public void close() {
            super.close();
            next.close();
        }
    }

    /** Takes the messages from a chain's last stream. */
    static final class Exit extends Polling implements PayloadPattern.Origin {
        private final MessageSink sink;
        private DirectBuffer buffer; // of the fragment in hand
        private int payloadStart;

        Exit(Subscription subscription, MessageSink sink, Pause pause) {
            super(subscription, pause);
            this.sink = sink;
        }

        @Override
        public void onFragment(DirectBuffer in, int from, int length, io.aeron.logbuffer.Header header) {
            buffer = in;
            payloadStart = from + Header.BYTES;
            long first = in.getLong(from, ORDER);
            sink.onMessage(
                    in.getLong(from + Header.ORIGIN, ORDER),
                    Header.tag(first),
                    Header.hops(first),
                    length - Header.BYTES,
                    this);
        }

        @Override
        public void copyTo(byte[] target, int length) {
            buffer.getBytes(payloadStart, target, 0, length);
        }
    }
}
