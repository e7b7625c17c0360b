package dev.baton.broken.defects;

import dev.baton.broken.heap.HeapConnection;
import dev.baton.broken.heap.NetworkHeap;
import dev.baton.tck.WaitTck;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Defects of awaits and wake-ups. Stateless. */
public final class WaitDefects {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private WaitDefects() {}

    public static Stream<PlantedDefect> all() {
        return Stream.of(
                PlantedDefect.ofLink(
                        "an await sleeps its whole time whatever arrives",
                        WaitTck.class,
                        "awaitEndsWhenAFrame.*waited \\d+ ms for the end of an await.*rule: an await ends when a frame arrives",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public void await(long nanos) {
                                LockSupport.parkNanos(nanos);
                            }
                        }),
                PlantedDefect.ofLink(
                        "an await spins",
                        WaitTck.class,
                        "awaitLeaves.*share of a core that awaits take, where a loop that spins gets .*; rule",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public void await(long nanos) {
                                for (long start = System.nanoTime(); System.nanoTime() - start < nanos; ) {
                                    Thread.onSpinWait();
                                }
                            }
                        }),
                PlantedDefect.ofLink(
                        "an await returns at once",
                        WaitTck.class,
                        "awaitLeaves.*awaits of 20 ms within \\d+ ms that nothing ended; rule",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public void await(long nanos) {
                                check();
                            }
                        }),
                PlantedDefect.ofLink(
                        "an await is too long by a factor of a thousand",
                        WaitTck.class,
                        "awaitEndsWhenItsTime.*waited \\d+ ms for the end of an await of 1 ms; rule",
                        transport -> new NetworkHeap.Link(transport) {
                            @Override
                            public void await(long nanos) {
                                super.await(Math.min(LONGEST_NANOS, 1_000 * nanos));
                            }
                        }),
                PlantedDefect.ofLink(
                        "a wake does nothing", WaitTck.class, "wakeEnds.*waited \\d+ ms for .* woken; rule", Deaf::new),
                new PlantedDefect(
                        "a wake does nothing in one process",
                        WaitTck.class,
                        "wakeEnds.*waited \\d+ ms for .* woken; rule",
                        PlantedDefect.connection(transport -> new HeapConnection(transport) {
                            private final Object lock = new Object();

                            @Override
                            public void await(long nanos) {
                                WaitDefects.await(lock, nanos);
                            }
                        })),
                PlantedDefect.ofLink(
                        "a wake before the await is lost",
                        WaitTck.class,
                        "aWakeBefore.*waited \\d+ ms for .* woken before it began; rule",
                        transport -> new Deaf(transport) {
                            @Override
                            public void wake() {
                                synchronized (lock) {
                                    lock.notifyAll();
                                }
                            }
                        }));
    }

    /** Waits for a notification, as a client library does that has a lock of its own. */
    private static void await(Object lock, long nanos) {
        synchronized (lock) {
            try {
                TimeUnit.NANOSECONDS.timedWait(lock, nanos);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for a notification that only a subclass sends. Confined to the thread that connected. */
    private static class Deaf extends NetworkHeap.Link {
        final Object lock = new Object();

        Deaf(NetworkHeap transport) {
            super(transport);
        }

        @Override
        public void await(long nanos) {
            WaitDefects.await(lock, nanos);
        }
    }
}
