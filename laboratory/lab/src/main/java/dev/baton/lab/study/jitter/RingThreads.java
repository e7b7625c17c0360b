package dev.baton.lab.study.jitter;

import dev.baton.measuring.machine.CoreWatch;
import dev.baton.measuring.machine.Cores;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;

/**
 * The producer's thread and the accumulator's: each pins itself where that was asked for, and notes its number with the
 * kernel. {@link #accept} is called by each thread as it starts, everything else by the trial's when both have.
 */
final class RingThreads implements IntConsumer {
    private final int[] cores; // of the producer and of the accumulator; empty when they are not pinned
    private final AtomicLongArray tasks = new AtomicLongArray(2);

    private RingThreads(int[] cores) {
        this.cores = cores;
    }

    /**
     * Not started yet.
     *
     * @throws IllegalArgumentException when two cores are asked for and not there
     */
    static RingThreads of(JitterStudy study) {
        int[] cores = study.isPinned() ? Cores.allowed() : new int[0];
        if (study.isPinned() && cores.length < 2) {
            throw new IllegalArgumentException(
                    "--pin needs two cores, this process may use " + cores.length + "; leave it out");
        }
        return new RingThreads(cores);
    }

    @Override
    public void accept(int part) {
        if (cores.length > 0) {
            Cores.pinThisThread(cores[part]);
        }
        tasks.set(part, CoreWatch.thisThread());
    }

    /** The kernel's numbers of the two, the producer first; 0 for one that has none. */
    List<Long> tasks() {
        return List.of(tasks.get(0), tasks.get(1));
    }

    /** Where they run, for a person. */
    String place() {
        return cores.length == 0 ? "not pinned" : "pinned to cores " + cores[0] + " and " + cores[1];
    }
}
