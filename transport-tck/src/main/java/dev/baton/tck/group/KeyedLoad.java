package dev.baton.tck.group;

import dev.baton.Chain;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.partitions.Partitions;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import dev.baton.tck.Turns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A load of numbered messages of many keys for a chain with partitions, and a check of its outputs: the numbers of each key have to rise by
 * one, whichever process ran its partition. It is a process without services, with the inlet and sink of all partitions.
 *
 * <p>A message is its key and its number, eight bytes each. Opened and closed by one thread; the load has a thread of its own.
 */
final class KeyedLoad implements AutoCloseable {
    private static final int KEYS = 40;
    private static final int BYTES = 2 * Long.BYTES;
    private static final Duration LONGEST_SEND = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 10;

    private final Loops loops = Loops.cooperative(1);
    private final RunningChain partitions;
    private final int count;
    private final long[] newest = new long[KEYS]; // by key, of the sink's thread
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final Thread sender = new Thread(this::send, "keyed-load");
    private final CountDownLatch stopping = new CountDownLatch(1);

    KeyedLoad(Chain chain, Transport transport, int count) {
        this.count = count;
        partitions = deployment(chain, transport, count).start();
    }

    private Deployment deployment(Chain chain, Transport transport, int count) {
        return chain.on(transport)
                .with(loops)
                .only()
                .sendWithin(LONGEST_SEND)
                .onOutput(this::check)
                .onFailure(cause -> faults.add(cause.toString()))
                .partitions(count);
    }

    /** Starts to send some 100 messages a second, one by one, so that most of the time one is on its way. */
    KeyedLoad start() {
        sender.start();
        return this;
    }

    /** Waits for this number of further outputs. */
    void awaitMore(long messages, Duration limit) {
        long target = received.get() + messages;
        new Turns(limit)
                .until(
                        messages + " messages more, " + faults,
                        "every message of a key is delivered in order",
                        () -> received.get() >= target || !faults.isEmpty());
    }

    /**
     * Stops sending and waits for the outputs of all messages.
     *
     * @return what was wrong: nothing, when every message came out once and each key's in order
     */
    List<String> end(Duration limit) {
        stop();
        new Turns(limit)
                .until(
                        "the last of " + sent + ", " + faults,
                        "every message of a key is delivered in order",
                        () -> received.get() >= sent.get() || !faults.isEmpty());
        if (sent.get() == 0) {
            faults.add("nothing was sent");
        }
        return List.copyOf(faults);
    }

    private void send() {
        try {
            Partitions assignment = Partitions.of(count);
            byte[] bytes = new byte[BYTES];
            ByteBuffer payload = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (long number = 1; ; number++) {
                for (long key = 0; key < KEYS; key++) {
                    Inlet partition = partitions.inlet(assignment.partitionOf(key));
                    payload.putLong(0, key).putLong(Long.BYTES, number);
                    partition.send(bytes);
                    sent.incrementAndGet();
                    if (stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
        } catch (RuntimeException | InterruptedException failure) {
            faults.add("sender: " + failure);
        }
    }

    private void check(Message in) {
        int key = (int) in.getLong(0);
        long number = in.getLong(Long.BYTES);
        if (number != newest[key] + 1) {
            faults.add("key " + key + ": " + number + " after " + newest[key]);
        }
        newest[key] = number;
        received.incrementAndGet();
    }

    private void stop() {
        stopping.countDown();
        try {
            sender.join(LONGEST_SEND.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        partitions.close();
        loops.close();
    }

    @Override
    public String toString() {
        return sent + " sent, " + received + " received, newest by key " + Arrays.toString(newest);
    }
}
