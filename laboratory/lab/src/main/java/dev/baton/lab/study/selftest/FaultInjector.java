package dev.baton.lab.study.selftest;

import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.study.selftest.PlantedFault.Kind;
import dev.baton.lab.trial.ends.Window;
import dev.baton.measuring.system.SystemUnderTest;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

/**
 * A user's system with the faults of a study: what it sends is refused or stalled, what it receives is lost, doubled, swapped, altered or
 * stalled. A thread of its own observes the time that the machine withheld. Instances are opened in their order; the counts may be
 * read after all have been closed.
 */
final class FaultInjector implements SystemUnderTest, SelftestWorkload.Planted {
    private static final long WITNESS_SLEEP_NANOS = 1_000_000;

    /** The first byte that is altered, after the slot: a message with another slot would also count as lost. */
    private static final int FIRST = Long.BYTES;

    private final SystemUnderTest system;
    private final SelftestStudy study;
    private final Window window;
    private final int instances;
    private final Witness witness;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;

    FaultInjector(SystemUnderTest system, TrialPlan plan, SelftestStudy study, Window window) {
        this.system = system;
        this.window = window;
        this.study = study;
        instances = plan.shape().instances();
        witness = new Witness(window);
        Thread observer = new Thread(this::observe, "baton-lab-witness");
        observer.setDaemon(true);
        observer.start();
    }

    private void observe() {
        while (!isOver) {
            witness.beginWait(System.nanoTime(), WITNESS_SLEEP_NANOS);
            LockSupport.parkNanos(WITNESS_SLEEP_NANOS);
            witness.endWait(System.nanoTime());
        }
    }

    @Override
    public Description describe() {
        return system.describe();
    }

    @Override
    public Instance open(Setting setting, Receiver receiver) throws Exception {
        Line line = new Line(lines.size(), receiver);
        line.instance = system.open(setting, line);
        lines.add(line);
        return line;
    }

    @Override
    public long sent() {
        return lines.stream().mapToLong(line -> line.sent).sum();
    }

    @Override
    public long handedOut() {
        return lines.stream().mapToLong(line -> line.handedOut).sum();
    }

    /** Unknown: a system is not asked for its schedule. */
    @Override
    public long bunched() {
        return 0;
    }

    @Override
    public List<Long> ofEachInstance(ToLongFunction<Witness> figure) {
        isOver = true;
        return Collections.nCopies(instances, figure.applyAsLong(witness));
    }

    /** One instance, between its sender and its receiver. Each end is confined to its thread. */
    private final class Line implements Instance, Receiver {
        private final Receiver receiver;
        private final int number;
        private final long refusedFromNanos;
        private Instance instance;
        private final Stall sending;
        private final Stall receiving;
        private long sent;
        private long received;
        private long handedOut;
        private int alterations;
        private byte[] swapped; // waits for the next one to pass

        Line(int number, Receiver receiver) {
            this.number = number;
            this.receiver = receiver;
            refusedFromNanos = study.of(number, Kind.REFUSE).stream()
                    .mapToLong(PlantedFault::atNanos)
                    .min()
                    .orElse(Long.MAX_VALUE);
            sending = new Stall(PlantedFault.Place.GENERATOR);
            receiving = new Stall(PlantedFault.Place.RECEIVER);
        }

        @Override
        public boolean trySend(byte[] message) {
            sending.standIfDue();
            boolean isRefused = refusedFromNanos != Long.MAX_VALUE
                    && window.isStarted()
                    && System.nanoTime() - window.measureNanos() >= refusedFromNanos;
            if (isRefused || !instance.trySend(message)) {
                return false;
            }
            sent++;
            return true;
        }

        @Override
        public void onMessage(byte[] message) {
            receiving.standIfDue();
            received++;
            if (isOneOf(Kind.LOSE)) {
                return;
            }
            if (isOneOf(Kind.REORDER)) {
                swapped = message.clone();
                return;
            }
            if (isOneOf(Kind.CORRUPT)) {
                byte[] altered = message.clone();
                altered[FIRST + alterations++ % (altered.length - FIRST)]++;
                hand(altered);
            } else {
                hand(message);
            }
            if (isOneOf(Kind.DUPLICATE)) {
                hand(message);
            }
            if (swapped != null) {
                hand(swapped);
                swapped = null;
            }
        }

        private void hand(byte[] message) {
            handedOut++;
            receiver.onMessage(message);
        }

        private boolean isOneOf(Kind kind) {
            return study.of(number, kind).stream().anyMatch(fault -> received % fault.every() == 0);
        }

        @Override
        public void onFailure(Throwable cause) {
            receiver.onFailure(cause);
        }

        @Override
        public void poll() throws Exception {
            instance.poll();
        }

        @Override
        public boolean isDrained() {
            return instance.isDrained();
        }

        @Override
        public void close() throws Exception {
            instance.close();
        }

        /** The stall of one end, at most one. Confined to that end's thread. */
        private final class Stall {
            private PlantedFault ahead; // null: none

            Stall(PlantedFault.Place place) {
                ahead = study.of(number, Kind.STALL).stream()
                        .filter(fault -> fault.place() == place)
                        .findFirst()
                        .orElse(null);
            }

            void standIfDue() {
                if (ahead == null || !window.isStarted()) {
                    return;
                }
                long begin = window.measureNanos() + ahead.atNanos();
                if (System.nanoTime() - begin < 0) {
                    return;
                }
                long end = begin + ahead.nanos();
                for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                ahead = null;
            }
        }
    }
}
