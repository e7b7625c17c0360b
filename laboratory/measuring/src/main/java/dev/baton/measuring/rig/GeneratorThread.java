package dev.baton.measuring.rig;

import dev.baton.measuring.SlotWait;
import dev.baton.measuring.Threads;
import dev.baton.measuring.machine.KernelThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;

/**
 * The one thread that sends the messages of all instances of a trial when they are due, outside of the measured chains, as the callers of a
 * chain have their own threads. It sleeps until shortly before the next slot, then spins ({@link SlotWait}).
 *
 * <p>{@link #add} and {@link #close} are called by the trial's thread; the senders are confined to the thread of this class.
 */
public final class GeneratorThread implements AutoCloseable {
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    /** The wait when nothing is left to send, which a new instance and the end interrupt. */
    private static final long REST_NANOS = 10_000_000;

    /** One instance that receives messages. */
    private static final class Fed {
        private final int instance;
        private final MessageSource generator;
        private final SourceSender sender;
        private boolean hasFailed;

        Fed(int instance, MessageSource generator, SourceSender sender) {
            this.instance = instance;
            this.generator = generator;
            this.sender = sender;
        }
    }

    private final ObjIntConsumer<Throwable> onFailure;
    private final LongConsumer waiting; // until the deadline that it gets
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final List<Fed> fed = new ArrayList<>(); // confined to the thread
    private final CompletableFuture<Long> task = new CompletableFuture<>();
    private final Thread thread = new Thread(this::run, "baton-lab-generator");
    private volatile boolean isStopping;

    /**
     * Creates the thread, which starts with the first instance.
     *
     * @param onFailure called by the thread with the failure that ended the sending to an instance, and the instance, from 0
     */
    public GeneratorThread(ObjIntConsumer<Throwable> onFailure) {
        this(onFailure, SlotWait::until);
    }

    private GeneratorThread(ObjIntConsumer<Throwable> onFailure, LongConsumer waiting) {
        this.onFailure = onFailure;
        this.waiting = waiting;
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns a thread that never sleeps, for a load whose next message is due as soon as there is room. */
    public static GeneratorThread spinning(ObjIntConsumer<Throwable> onFailure) {
        return new GeneratorThread(onFailure, deadline -> Thread.yield());
    }

    /**
     * Feeds an instance from now on. Blocks until its way in is open.
     *
     * @param instance from 0
     * @param open called by the thread, may block; what it throws is thrown here
     * @param limit time that the opening may take
     */
    public void add(int instance, MessageSource generator, SourceSender sender, Runnable open, Duration limit) {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        commands.add(() -> {
            try {
                open.run();
                fed.add(new Fed(instance, generator, sender));
                opened.complete(null);
            } catch (RuntimeException | Error refused) {
                opened.completeExceptionally(refused);
            }
        });
        LockSupport.unpark(thread);
        try {
            opened.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException refused) {
            if (refused.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) refused.getCause();
        } catch (TimeoutException late) {
            throw new IllegalStateException(
                    "the inlet of instance " + (instance + 1) + " was not open within " + limit.toSeconds() + " s",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an inlet was opened", interrupted);
        }
    }

    /** {@return the kernel's number of the thread} */
    public long task() {
        return task.join();
    }

    private void run() {
        KernelThread.shortenTimerSlack();
        task.complete(KernelThread.number());
        while (!isStopping) {
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                command.run();
            }
            turn();
        }
    }

    private void turn() {
        int work = 0;
        boolean isSending = false;
        boolean isBlind = false; // an instance waits for room
        long next = Long.MAX_VALUE;
        for (int i = 0; i < fed.size(); i++) { // without an iterator, which would count as an allocation of the chain
            Fed each = fed.get(i);
            if (!each.hasFailed && !each.generator.isDone()) {
                isSending = true;
                work += turn(each);
                long deadline = each.generator.deadlineNanos();
                if (deadline == Long.MAX_VALUE) {
                    isBlind = true;
                } else if (next == Long.MAX_VALUE || deadline - next < 0) {
                    next = deadline;
                }
            }
        }
        if (work == 0) {
            long slot = isSending ? next : System.nanoTime() + REST_NANOS;
            waiting.accept(isBlind && slot != Long.MAX_VALUE ? SlotWait.whileBlind(slot) : slot);
        }
    }

    private int turn(Fed each) {
        try {
            return each.generator.onTurn(each.sender);
        } catch (RuntimeException | Error failure) {
            each.hasFailed = true;
            onFailure.accept(failure, each.instance);
            return 0;
        }
    }

    /** Ends the thread: when this returns, nothing more is sent. Idempotent. */
    @Override
    public void close() {
        isStopping = true;
        Threads.awaitEnd(thread, END_LIMIT.toMillis());
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "the generator's thread did not end within " + END_LIMIT.toSeconds() + " s");
        }
    }
}
