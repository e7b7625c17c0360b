package dev.baton.lab.engines;

import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.MessageSink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Chains of threads with a {@link PrimitiveQueue} between each two: what a thread does between two queues is here, and what a
 * queue does in {@link QueueHop}.
 *
 * @param pause of a thread that found no message, or no room for one
 * @param isWaiting whether the threads wait in queues that know how; with an idle strategy that was typed they do not
 */
record PrimitiveLibrary(PrimitiveQueue queue, int payloadBytes, Pause pause, boolean isWaiting)
        implements ReferenceRig.Library {
    @Override
    public Map<String, String> properties() {
        boolean isCopying = queue.source() == PrimitiveQueue.Source.AGRONA;
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("engine", "primitive: a bare queue between threads of one process, no transport, without Baton");
        properties.put(
                "not promised",
                "storage, acknowledgement, replay, another reader or writer, another process, the next start of this one");
        properties.put(
                "threads",
                (queue.isVirtual() ? "virtual: " : "")
                        + "one for each service, one that sends, one that receives; without a message they " + rest());
        properties.put("durability", "memory only: lost with the process");
        properties.put("acknowledgement", "none: a taken message is lost if it is not handled");
        properties.put(
                "batching", isCopying ? "up to 64 messages are taken together, each is published separately" : "none");
        properties.put(
                "copies",
                isCopying
                        ? "two for each hop: out of the ring, and into the next, the bytes of Baton's frame"
                        : "none: one object for each message, which the services change and pass on");
        properties.put(
                "configuration", queue.configuration() + (isCopying ? "" : "; the header of Baton's frame as fields"));
        properties.put("version", queue.source().version());
        return properties;
    }

    @Override
    public String rest() {
        return waitsInQueue() ? "wait in the queue" : pause.toString();
    }

    private boolean waitsInQueue() {
        return isWaiting && queue.source() == PrimitiveQueue.Source.JDK;
    }

    @Override
    public Thread newThread(Runnable body, String name) {
        return queue.isVirtual() ? newVirtualThread(body, name) : ReferenceRig.Library.super.newThread(body, name);
    }

    /** The laboratory is compiled for a JDK that has none. @throws IllegalArgumentException on a JVM that has none */
    private static Thread newVirtualThread(Runnable body, String name) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            ThreadFactory factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
            Thread thread = factory.newThread(body);
            thread.setName(name);
            return thread;
        } catch (ReflectiveOperationException missing) {
            throw new IllegalArgumentException(
                    "JDK " + Runtime.version().feature() + " has no virtual threads; JDK 21 and later do", missing);
        }
    }

    @Override
    public List<ReferenceStage> stages(ChainEnds ends, List<String> topics) {
        List<QueueHop> hops = topics.stream()
                .map(topic -> queue.maker().make(payloadBytes, isWaiting))
                .toList();
        Pause between = waitsInQueue() ? null : pause;
        return ReferenceStage.chain(
                ends,
                hops,
                new ReferenceStage.Feeding(ends.generator(), new Inlet(hops.get(0), ends.pattern()), pause),
                (from, to, work) -> new Relay(from, to, work, pause, between),
                new Exit(hops.get(hops.size() - 1), ends.receiver(), between));
    }

    /** Gives to a chain's first queue. Confined to the sending thread. */
    static final class Inlet implements ReferenceStage.Inlet {
        private final QueueHop hop;
        private final PayloadPattern pattern;
        private HopEvent next;
        private long sequence;

        Inlet(QueueHop hop, PayloadPattern pattern) {
            this.hop = hop;
            this.pattern = pattern;
            next = new HopEvent(pattern.maxLength());
        }

        @Override
        public boolean trySend(long number, long originNanos, int tag) {
            next.begin(sequence + 1, number, originNanos, tag, pattern);
            if (!hop.tryGive(next)) {
                return false;
            }
            sequence++;
            if (!hop.isCopying()) {
                next = new HopEvent(pattern.maxLength());
            }
            return true;
        }
    }

    /**
     * A service: passes each message on, one hop further. Where there is no room it waits, but not for ever: the reader of the
     * next queue may have stopped. Confined to its thread, but for {@link #halt}.
     */
    static final class Relay extends ReferenceStage.Turning implements Consumer<HopEvent> {
        private final QueueHop from;
        private final QueueHop to;
        private final Runnable work;
        private final Pause whenFull;
        private long sequence;
        private volatile boolean isGivenUp;

        Relay(QueueHop from, QueueHop to, Runnable work, Pause whenFull, Pause whenEmpty) {
            super(whenEmpty);
            this.from = from;
            this.to = to;
            this.work = work;
            this.whenFull = whenFull;
        }

        @Override
        boolean turn() {
            return from.take(this);
        }

        @Override
        public void accept(HopEvent message) {
            work.run();
            message.cause = message.sequence;
            message.sequence = ++sequence;
            message.hops++;
            while (!to.tryGive(message) && !isGivenUp) {
                whenFull.rest();
            }
        }

        /** Drops from now on the messages that find no room. */
        @Override
        public void halt() {
            isGivenUp = true;
        }
    }

    /** Takes from a chain's last queue. Confined to the receiving thread. */
    static final class Exit extends ReferenceStage.Turning implements Consumer<HopEvent> {
        private final QueueHop hop;
        private final MessageSink sink;

        Exit(QueueHop hop, MessageSink sink, Pause pause) {
            super(pause);
            this.hop = hop;
            this.sink = sink;
        }

        @Override
        boolean turn() {
            return hop.take(this);
        }

        @Override
        public void accept(HopEvent message) {
            message.deliverTo(sink);
        }
    }
}
