package dev.baton.lab.study.transit;

import dev.baton.lab.trial.ChainWorkload;
import dev.baton.lab.trial.ends.Instruments;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.machine.Cores;
import dev.baton.measuring.rig.ChainEnds;
import dev.baton.measuring.rig.ChainRig;
import dev.baton.measuring.rig.MessageSink;
import dev.baton.measuring.rig.MessageSource;
import dev.baton.measuring.rig.SourceSender;
import dev.baton.operations.line.CommandException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Chains whose sending and receiving thread are each bound to a CPU, by themselves: the one in its first turn, the other
 * when its first message comes, which is a warm-up's. Called by the trial's thread.
 */
class PinnedChains extends ChainWorkload {
    private final List<Integer> cpus;

    /**
     * Creates the chains.
     *
     * @param cpus of the two threads; empty: they are not bound
     */
    PinnedChains(Instruments instruments, ChainRig rig, List<Integer> cpus) {
        super(instruments, rig);
        this.cpus = cpus;
    }

    /** Prepares the chains, and checks whether threads can be bound. */
    @Override
    public void prepare() {
        cpus.forEach(ThreadPin::check);
        super.prepare();
    }

    @Override
    protected ChainEnds ends(ChainEnds instance) {
        if (cpus.isEmpty()) {
            return instance;
        }
        MessageSink sink = instance.receiver();
        ThreadPin pin = new ThreadPin(cpus.get(1));
        return new PinnedEnds(
                instance.index(),
                new PinnedSource(instance.generator(), new ThreadPin(cpus.get(0))),
                (originNanos, tag, hops, length, payload) -> {
                    pin.bind();
                    sink.onMessage(originNanos, tag, hops, length, payload);
                },
                instance.pattern());
    }

    /** Ends that bind their threads. Each end is confined to its thread. */
    private record PinnedEnds(int index, MessageSource generator, MessageSink receiver, PayloadPattern pattern)
            implements ChainEnds {}

    private record PinnedSource(MessageSource source, ThreadPin pin) implements MessageSource {
        @Override
        public int onTurn(SourceSender sender) {
            pin.bind();
            return source.onTurn(sender);
        }

        @Override
        public long deadlineNanos() {
            return source.deadlineNanos();
        }
    }

    /** Binds one thread to one CPU. Confined to that thread. */
    static final class ThreadPin {
        private final int cpu;
        private boolean isBound;

        ThreadPin(int cpu) {
            this.cpu = cpu;
        }

        /**
         * Checks on a temporary thread whether threads can be bound to a CPU.
         *
         * @throws CommandException when not
         */
        static void check(int cpu) {
            try {
                CompletableFuture.runAsync(
                                () -> new ThreadPin(cpu).bind(), task -> new Thread(task, "baton-lab-pin").start())
                        .join();
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
                        "the system does not bind a thread to CPU " + cpu + " (" + refused.getMessage()
                                + "); omit --pin",
                        refused);
            }
        }
    }
}
