package dev.baton.simulation.world;

import dev.baton.KeyedService;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.StatefulService;
import dev.baton.TickingService;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Reached;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.spi.PartitionTopic;
import dev.baton.state.KeyedState;
import dev.baton.state.SnapshotInput;
import dev.baton.state.SnapshotOutput;
import java.time.Duration;

/** The services of simulated chains that have a state, saved in snapshots. */
final class StatefulSteps {
    private static final int VERSION = 3;
    private static final int POISON = 11;

    private StatefulSteps() {}

    static Service of(Setting.Step step, int index, World world, Run run) {
        return switch (step) {
            case STATE -> new Keeping(index, world, run);
            case KEYED_STATE -> new Keyed(index, world, run);
            case TIMERS -> new Timers(world, run);
            default -> new Ticking(world, run);
        };
    }

    /** {@return whether a service that sends by inputs throws at this input each time, so that the error policy skips it} */
    static boolean isPoison(Setting setting, long payload) {
        return setting.skips && payload % POISON == 0;
    }

    /** The common part of both services: saving and restoring of their state. */
    private abstract static class Saving implements StatefulService {
        final World world;
        final Run run;
        private int saved; // numbers, of the snapshot in progress
        private boolean isStarted;

        Saving(World world, Run run) {
            this.world = world;
            this.run = run;
        }

        abstract int numbers();

        abstract long number(int index);

        abstract void restore(SnapshotInput in);

        void called() {
            world.account().called(run);
            isStarted = true;
        }

        /** {@return true, as it throws before it changes anything} */
        @Override
        public boolean isFailureAtomic() {
            return true;
        }

        @Override
        public int snapshotVersion() {
            return VERSION;
        }

        /** Saves the state in one call, or in several of which each takes longer than it should. */
        @Override
        public boolean saveState(SnapshotOutput out) {
            called();
            if (saved == 0) {
                world.says("begins to save " + this);
            }
            while (saved < numbers()) {
                out.putLong(number(saved++));
                if (!out.hasTime() || world.choices.oneIn(Kind.WORLD, 16)) {
                    world.scheduler.now += 2 * SnapshotOutput.SLICE_NANOS;
                    return false;
                }
            }
            saved = 0;
            return true;
        }

        @Override
        public void restoreState(SnapshotInput in, int version) {
            if (version != VERSION || isStarted) {
                world.account()
                        .violate(
                                Rule.DIVERGED,
                                this + " gets a state of version " + version + (isStarted ? ", late" : ""),
                                null);
            }
            restore(in);
            if (in.remaining() != 0) {
                world.account().violate(Rule.DIVERGED, this + " gets a state that is too long", null);
            }
            world.reached(Reached.STATE_RESTORED);
            world.says("restores " + this);
        }
    }

    /** Sends outputs that follow from all inputs so far. */
    private static final class Keeping extends Saving {
        private final Keepsake state = new Keepsake();
        private final Throwing throwing;
        private final int index;

        Keeping(int index, World world, Run run) {
            super(world, run);
            this.index = index;
            this.throwing = new Throwing(world, run, index);
        }

        @Override
        public int maxOutputs() {
            return 2;
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            called();
            long payload = in.getLong(0);
            boolean isPoison = isPoison(world.setting, payload);
            if (isPoison || throwing.isDueAndRetried(in.sequence())) {
                Steps.send(out, payload);
                if (isPoison) {
                    throwing.failAt(in.sequence());
                }
                throwing.fail(in.sequence());
            }
            for (long output : state.take(payload)) {
                Steps.send(out, output);
            }
        }

        @Override
        int numbers() {
            return Keepsake.NUMBERS;
        }

        @Override
        long number(int at) {
            return state.number(at);
        }

        @Override
        void restore(SnapshotInput in) {
            state.restore(in);
        }

        @Override
        public String toString() {
            return "state " + index + " of " + state.number(0) + " inputs";
        }
    }

    /** Sends outputs that follow from states by key. What a call that throws has changed is undone. */
    private static final class Keyed implements KeyedService {
        private final World world;
        private final Run run;
        private final Throwing throwing;
        private Tallies state;
        private boolean isStarted;

        Keyed(int index, World world, Run run) {
            this.world = world;
            this.run = run;
            this.throwing = new Throwing(world, run, index);
        }

        @Override
        public int maxOutputs() {
            return 2;
        }

        @Override
        public int keyedStateVersion() {
            return VERSION;
        }

        @Override
        public void onStart(ServiceContext context) {
            state = new Tallies(
                    context.state("tallies", Tallies.KEY, Tallies.Numbers.CODEC),
                    context.state("totals", Tallies.KEY, Tallies.Numbers.CODEC));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            world.account().called(run);
            if (!isStarted && state.totals().size() > 0) {
                world.reached(Reached.STATE_RESTORED);
                world.says("restores " + state.tallies().size() + " tallies");
            }
            isStarted = true;
            long payload = in.getLong(0);
            boolean isPoison = isPoison(world.setting, payload);
            boolean isThrowing = isPoison || throwing.isDueAndRetried(in.sequence());
            for (long output : state.take(payload)) {
                Steps.send(out, output);
            }
            if (isPoison) {
                throwing.failAt(in.sequence());
            }
            if (isThrowing) {
                throwing.fail(in.sequence());
            }
        }
    }

    /** Starts a timer for each input. Ticks send what is due: several at a time, as far as there is room. */
    private static final class Timers implements KeyedService, TickingService {
        private static final Duration DELAY = Duration.ofMillis(2);
        private static final int MOST = 3; // in a tick

        private final World world;
        private final Run run;
        private KeyedState<Long, long[]> timers;

        Timers(World world, Run run) {
            this.world = world;
            this.run = run;
        }

        @Override
        public void onStart(ServiceContext context) {
            timers = context.state("timers", Tallies.KEY, Tallies.Numbers.CODEC);
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            world.account().called(run);
            long[] payload = {in.getLong(0)};
            timers.put(in.sequence(), payload); // a payload that comes twice starts no timer again
        }

        @Override
        public int onTick(Outlet out) {
            world.account().called(run);
            return timers.expire(
                    DELAY, Math.min(MOST, out.remainingCapacity()), (key, payload) -> Steps.send(out, payload[0]));
        }
    }

    /** Sends only by ticks: a window that is full or old enough. */
    private static final class Ticking extends Saving implements TickingService {
        private ServiceContext context;
        private int partition;
        private long first; // 0: empty
        private long last;
        private long firstTime;

        Ticking(World world, Run run) {
            super(world, run);
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            partition = Math.max(0, PartitionTopic.partition(given.input()));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            called();
            if (first == 0) {
                first = in.sequence();
                firstTime = context.time();
            }
            last = in.sequence();
        }

        @Override
        public int onTick(Outlet out) {
            called();
            boolean isDue = first != 0
                    && (last - first + 1 >= Steps.WINDOW || context.time() - firstTime >= Steps.WINDOW_NANOS);
            if (!isDue || out.remainingCapacity() == 0) {
                return 0;
            }
            Steps.send(out, Steps.window(partition, first, last));
            first = 0;
            return 1;
        }

        @Override
        int numbers() {
            return 3;
        }

        @Override
        long number(int at) {
            return at == 0 ? first : at == 1 ? last : firstTime;
        }

        @Override
        void restore(SnapshotInput in) {
            first = in.getLong();
            last = in.getLong();
            firstTime = in.getLong();
        }

        @Override
        public String toString() {
            return "window of " + first + " to " + last;
        }
    }
}
