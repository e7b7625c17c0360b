package dev.baton.lab.study.transit;

import dev.baton.measuring.machine.Cores;
import dev.baton.operations.line.CommandException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Binds one thread to one CPU. Confined to that thread. */
final class ThreadPin {
    private final int cpu;
    private boolean isBound;

    ThreadPin(int cpu) {
        this.cpu = cpu;
    }

    /**
     * Finds out by a thread of its own, which ends, whether threads can be bound to a CPU.
     *
     * @throws CommandException when not
     */
    static void check(int cpu) {
        CompletableFuture<Void> bound = new CompletableFuture<>();
        Thread probe = new Thread(
                () -> {
                    try {
                        new ThreadPin(cpu).bind();
                        bound.complete(null);
                    } catch (IllegalStateException refused) {
                        bound.completeExceptionally(refused);
                    }
                },
                "baton-lab-pin");
        probe.start();
        try {
            bound.join();
        } catch (CompletionException refused) {
            throw CommandException.environment(refused.getCause().getMessage(), refused);
        }
    }

    /** Binds the calling thread, once. */
    void bind() {
        if (isBound) {
            return;
        }
        isBound = true;
        try {
            Cores.pinThisThread(cpu);
        } catch (RuntimeException | LinkageError refused) {
            throw new IllegalStateException(
                    "the system does not bind a thread to CPU " + cpu + " (" + refused.getMessage() + "); omit --pin",
                    refused);
        }
    }
}
