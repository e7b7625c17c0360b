package dev.baton.lab.systems;

import dev.baton.measuring.system.SystemUnderTest;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** A queue with the fault that its option names. Thread-safe. */
public final class FaultySystem implements SystemUnderTest {
    private static final int FAULTY = 100; // number of the message, from 1
    private static final long BLOCKED_NANOS = 40_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    @Override
    public Description describe() {
        return new Description(
                "faulty", "a queue with a fault", Map.of("fault", "none"), Map.of("durability", "memory"));
    }

    @Override
    public Instance open(Setting setting, Receiver receiver) {
        String fault = setting.options().get("fault");
        if (fault.equals("refuse")) {
            throw new IllegalArgumentException("fault refuse is not allowed");
        }
        return fault.equals("null") ? null : new FaultyQueue(fault, receiver);
    }

    /** Confined to two threads, one for each end. */
    private static final class FaultyQueue implements Instance {
        private final ConcurrentLinkedQueue<byte[]> queue = new ConcurrentLinkedQueue<>();
        private final String fault;
        private final Receiver receiver;
        private byte[] held; // until the next message
        private int received;

        FaultyQueue(String fault, Receiver receiver) {
            this.fault = fault;
            this.receiver = receiver;
        }

        @Override
        public boolean trySend(byte[] message) {
            if (fault.equals("block-send")) {
                block();
            }
            if (fault.equals("throw-send")) {
                throw new IllegalStateException("the queue is broken");
            }
            return !fault.equals("full") && queue.offer(message.clone());
        }

        @Override
        public void poll() throws InterruptedException {
            byte[] message = queue.poll();
            if (message == null) {
                Thread.sleep(1);
                return;
            }
            received++;
            if (received == FAULTY) {
                deliverFaulty(message);
                return;
            }
            receiver.onMessage(message);
            if (held != null) {
                receiver.onMessage(held);
                held = null;
            }
        }

        private void deliverFaulty(byte[] message) throws InterruptedException {
            switch (fault) {
                case "lose", "silent" -> {}
                case "duplicate" -> {
                    receiver.onMessage(message);
                    receiver.onMessage(message);
                }
                case "reorder" -> held = message;
                case "alter" -> deliverAltered(message, message.length - 1);
                case "alter-slot" -> deliverAltered(message, 0);
                case "alter-send-delay" -> deliverAltered(message, 11);
                case "alter-checksum" -> deliverAltered(message, 12);
                case "null-message" -> receiver.onMessage(null);
                case "cut" -> receiver.onMessage(new byte[3]);
                case "throw" -> throw new IllegalStateException("the queue is broken");
                case "switch" -> {
                    Thread other = new Thread(() -> receiver.onMessage(message), "other");
                    other.start();
                    other.join();
                }
                default -> receiver.onMessage(message);
            }
        }

        /** Blocks for longer than the end of a trial takes. */
        private static void block() {
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < BLOCKED_NANOS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        @Override
        public void close() {
            if (fault.equals("block-close")) {
                block();
            }
            if (fault.equals("throw-close")) {
                throw new IllegalStateException("the queue is broken");
            }
        }

        private void deliverAltered(byte[] message, int place) {
            message[place] ^= 1;
            receiver.onMessage(message);
        }

        @Override
        public boolean isDrained() {
            if (fault.equals("silent")) {
                throw new IllegalStateException("the server does not answer");
            }
            return queue.isEmpty();
        }
    }
}
