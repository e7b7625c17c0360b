package dev.baton.simulation.world;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.ServiceContext;
import dev.baton.TickingService;
import dev.baton.async.AsyncService;
import dev.baton.simulation.plan.Choices.Kind;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.SimEnvironment;
import dev.baton.spi.PartitionTopic;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The services of simulated chains: their outputs follow from their inputs, so that the account can compute them. */
final class Steps {
    static final int WINDOW = 4;
    static final long WINDOW_NANOS = 3 * Setting.MILLIS;
    static final int SEQUENCE_BITS = 12;
    static final Duration STAGE_TIMEOUT = Duration.ofMillis(4);

    private static final long[] NOTHING = {};

    private Steps() {}

    static Service of(Setting.Step step, int index, World world, Run run) {
        return switch (step) {
            case WINDOW -> new Window(world, run, false);
            case TICKING_WINDOW -> new Ticking(world, run);
            case STATE, TICKING_STATE, KEYED_STATE, TIMERS -> StatefulSteps.of(step, index, world, run);
            default -> world.setting.isAsync ? new Later(step, index, world, run) : new Pure(step, index, world, run);
        };
    }

    /** Returns the outputs of a stateless step for an input, or what a timer sends at least once. */
    static long[] outputs(Setting.Step step, long payload) {
        return switch (step) {
            case FORWARD, TIMERS -> new long[] {payload};
            case FILTER -> payload % 3 == 0 ? NOTHING : new long[] {payload};
            case FAN_OUT -> new long[] {payload << 1, payload << 1 | 1};
            default -> throw new IllegalArgumentException(step + " has a memory");
        };
    }

    static long window(int partition, long first, long last) {
        return ((long) partition << SEQUENCE_BITS | first) << SEQUENCE_BITS | last;
    }

    static long firstOf(long window) {
        return window >> SEQUENCE_BITS & (1 << SEQUENCE_BITS) - 1;
    }

    static long lastOf(long window) {
        return window & (1 << SEQUENCE_BITS) - 1;
    }

    static void send(Outlet out, long payload) {
        out.claim(Long.BYTES).putLong(0, payload).commit(Long.BYTES);
    }

    private static class Pure implements Service {
        final Setting.Step step;
        final World world;
        final Run run;
        final Throwing throwing;
        private final int index;

        Pure(Setting.Step step, int index, World world, Run run) {
            this.step = step;
            this.index = index;
            this.world = world;
            this.run = run;
            this.throwing = new Throwing(world, run, index);
        }

        @Override
        public int maxOutputs() {
            return step == Setting.Step.FAN_OUT ? 2 : 1;
        }

        /** Checks the order of the calls. */
        final void begin(Message in) {
            boolean mayBeLate = world.setting.isPerKey && world.account().isTampered; // set aside from another topic
            if (world.setting.isKeyed() && !run.isInOrder(index, in) && !mayBeLate) {
                world.account().violate(Rule.ORDER, "service " + index + " is called late for " + in, null);
            }
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            if (!world.setting.isConcurrent) { // a call that is at work may outlive its chain
                world.account().called(run);
            }
            begin(in);
            boolean isThrowing = throwing.isDue();
            long[] outputs = outputs(step, in.getLong(0));
            for (long payload : outputs) {
                out.claim(Long.BYTES, in.key()).putLong(0, payload).commit(Long.BYTES);
            }
            if (isThrowing) {
                if (outputs.length < maxOutputs()) {
                    out.claim(Long.BYTES); // left open
                }
                throwing.fail(in.sequence());
            }
        }
    }

    /** A step whose stages complete at drawn times; a failing one throws, or its stage fails or exceeds the time limit. */
    private static final class Later extends Pure implements AsyncService<long[]> {
        private static final long STEP_NANOS = 100_000;
        private static final int MAX_STEPS = 16;

        private final SimEnvironment environment;

        Later(Setting.Step step, int index, World world, Run run) {
            super(step, index, world, run);
            this.environment = new SimEnvironment(world.scheduler, world.choices, run.process);
        }

        @Override
        public CompletionStage<long[]> process(Message in) {
            begin(in);
            long[] outputs = outputs(step, in.getLong(0));
            if (run.process.isRecovery && !throwing.isDue()) {
                return CompletableFuture.completedFuture(outputs); // nothing may delay the last process beyond a limit
            }
            Duration time = Duration.ofNanos(world.choices.next(Kind.WORLD, MAX_STEPS) * STEP_NANOS);
            if (!throwing.isDue()) {
                return stage(outputs, null, time);
            }
            int kind = world.choices.next(Kind.WORLD, 3);
            try {
                throwing.fail(in.sequence());
            } catch (Throwing.SimulatedFailure failure) {
                if (kind > 0) {
                    return kind == 1 ? stage(null, failure, time) : stage(outputs, null, STAGE_TIMEOUT.plus(time));
                }
                throw failure;
            }
            throw new IllegalStateException("no failure");
        }

        private CompletableFuture<long[]> stage(long[] outputs, Throwable failure, Duration time) {
            CompletableFuture<long[]> stage = new CompletableFuture<>();
            boolean isTooLong = time.compareTo(STAGE_TIMEOUT) >= 0;
            long begun = world.scheduler.now;
            CompletableFuture<Void> timer = environment.after(time);
            timer.thenRun(() -> {
                if (failure == null) {
                    stage.complete(outputs);
                } else {
                    stage.completeExceptionally(failure);
                }
            });
            stage.whenComplete((result, failed) -> {
                timer.cancel(false);
                boolean wasLoopLate = run.process.metSlowOpen
                        || run.process.wasPaused
                        || !isTooLong && world.scheduler.now - begun >= STAGE_TIMEOUT.toNanos();
                run.mayFail |= stage.isCancelled() && wasLoopLate;
            });
            run.stages.add(stage);
            return stage;
        }

        @Override
        public void onResult(Message in, long[] result, Outlet out) {
            world.account().called(run);
            for (long payload : result) {
                out.claim(Long.BYTES, in.key()).putLong(0, payload).commit(Long.BYTES);
            }
        }
    }

    /** One output for a number of inputs, which are held until then; sent with the last of them, or only by ticks. */
    private static class Window implements Service {
        final World world;
        final Run run;
        private final boolean isSentByTicks;
        private ServiceContext context;
        private int partition;
        private long first; // 0: empty
        private long last;
        private long firstTime;

        Window(World world, Run run, boolean isSentByTicks) {
            this.world = world;
            this.run = run;
            this.isSentByTicks = isSentByTicks;
        }

        @Override
        public boolean holdsInputs() {
            return true;
        }

        /** {@return true, as state that is set before an output is the same at the next delivery} */
        @Override
        public boolean isFailureAtomic() {
            return true;
        }

        @Override
        public void onStart(ServiceContext given) {
            context = given;
            partition = Math.max(0, PartitionTopic.partition(given.input()));
        }

        @Override
        public void onMessage(Message in, Outlet out) {
            world.account().called(run);
            if (first == 0) {
                first = in.sequence();
                firstTime = context.time();
                context.holdFrom(first);
            }
            last = in.sequence();
            if (!isSentByTicks && isFull()) {
                end(out);
            }
        }

        int tick(Outlet out) {
            world.account().called(run);
            if (first == 0 || out.remainingCapacity() == 0 || !isFull() && context.time() - firstTime < WINDOW_NANOS) {
                return 0;
            }
            end(out);
            return 1;
        }

        private boolean isFull() {
            return last - first + 1 >= WINDOW;
        }

        private void end(Outlet out) {
            send(out, window(partition, first, last));
            context.holdFrom(last + 1);
            first = 0;
        }
    }

    /** A window that a tick ends when it is full or old enough. */
    private static final class Ticking extends Window implements TickingService {
        Ticking(World world, Run run) {
            super(world, run, true);
        }

        @Override
        public int onTick(Outlet out) {
            return tick(out);
        }
    }

    /** Sends a number of messages, some at a time. */
    static final class Feeding implements dev.baton.Source {
        private final World world;
        private final Run run;
        private int left;

        Feeding(World world, Run run, int messages) {
            this.world = world;
            this.run = run;
            this.left = messages;
        }

        boolean isDone() {
            return left == 0;
        }

        @Override
        public int onTick(Outlet out) {
            world.account().called(run);
            int count = Math.min(left, 1 + world.choices.next(Kind.WORLD, 3));
            int sent = 0;
            while (sent < count && out.remainingCapacity() > 0) {
                long payload = world.account().newPayload();
                send(out, payload);
                run.sent.add(payload);
                sent++;
                if (run.process.throwsInSource) {
                    run.process.throwsInSource = false;
                    run.mayFail = true;
                    for (int i = 0; i < sent; i++) {
                        world.account().takenBack(run.sent.remove(run.sent.size() - 1));
                    }
                    world.says("source throws after " + sent + " messages");
                    throw new Throwing.SimulatedFailure();
                }
            }
            left -= sent;
            return sent;
        }
    }
}
