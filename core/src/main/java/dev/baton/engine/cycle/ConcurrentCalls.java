package dev.baton.engine.cycle;

import dev.baton.Outlet;
import dev.baton.engine.chain.Failures;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.AsyncStart;
import dev.baton.engine.plan.PartPlan;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;

/**
 * The inputs of a service whose calls are made by other threads, up to a number at once: {@link dev.baton.Concurrency}.
 *
 * <p>The loop makes all decisions. It takes an input as a copy and starts its call, unless an earlier input of its key is not
 * handled yet. A thread that has ended a call adds it to a queue and wakes the loop, which starts the next input of that key. A
 * stage of an asynchronous service that completes does the same; the loop then writes its outputs to the memory of the call.
 * The oldest input is settled when its call has ended: its outputs are written, or its failure is handled as the error policy
 * specifies. So outputs, dead letters and skipped inputs are in the order of the inputs, and the cause of the newest output
 * tells a restart which inputs are answered. The oldest input that is not settled and all later ones are not acknowledged.
 *
 * <p>Confined to its loop, except for the queues of ended calls and stages.
 */
final class ConcurrentCalls implements InputOwner.Later {
    /** Time that calls have to end after they were interrupted by a close. */
    private static final long INTERRUPTED_NANOS = 500_000_000;

    private static final ByteBuffer NO_KEY = ByteBuffer.allocate(0);

    /** An input that is not settled. */
    private static final class Taken {
        final Frame frame;
        final ConcurrentCall call;
        ByteBuffer key = NO_KEY;
        Taken behind; // next input of the key; null for none
        long dueAt = Long.MAX_VALUE; // time of its retry, if it has a pause, or the time limit of its stage
        CompletionStage<?> stage; // work of an asynchronous service that is not complete; null for none
        int failures;
        Throwable thrown; // by its last call
        boolean hasEnded; // and is not retried
        boolean isReleased; // the next input of the key may be handled
        boolean hasStoredLetter; // of an earlier run, so it is not handled again

        Taken(Frame frame, ConcurrentCall call) {
            this.frame = frame;
            this.call = call;
        }
    }

    /** A stage that is complete. */
    private record Completed(Taken input, CompletionStage<?> stage, Object result, Throwable thrown) {}

    private final PartPlan plan;
    private final ServiceCalls calls;
    private final FailedCalls failed;
    private final WriterOutlet outlet;
    private final InboundMessage message;
    private final PartContext context;
    private final Acknowledgements acknowledgements;
    private final Environment environment;
    private final Executor threads;
    private final ConcurrentCall[] all;
    private final ArrayDeque<ConcurrentCall> free = new ArrayDeque<>();
    private final ArrayDeque<Taken> taken = new ArrayDeque<>(); // by sequence
    private final Map<ByteBuffer, Taken> newest = new HashMap<>(); // newest input of each key that is not released
    private final Queue<Taken> ended = new ConcurrentLinkedQueue<>();
    private final Queue<Completed> completed = new ConcurrentLinkedQueue<>();
    private Taken lettered; // input whose dead letter is being stored; null for none
    private long dueAt = Long.MAX_VALUE; // earliest time of a retry or of the end of a stage
    private int toldClosing; // number of service objects whose onClosing was called
    private boolean isInterrupted; // the calls at work are, since the following time
    private long interruptedAt;

    ConcurrentCalls(
            PartPlan plan,
            ServiceCalls calls,
            FailedCalls failed,
            WriterOutlet outlet,
            InboundMessage message,
            PartContext context,
            Acknowledgements acknowledgements) {
        this.plan = plan;
        this.calls = calls;
        this.failed = failed;
        this.outlet = outlet;
        this.message = message;
        this.context = context;
        this.acknowledgements = acknowledgements;
        this.environment = context.environment();
        this.threads = environment.workers(plan.name());
        this.all = plan.turns().concurrent().stream()
                .map(service -> new ConcurrentCall(plan, service, outlet, context))
                .toArray(ConcurrentCall[]::new);
        for (ConcurrentCall call : all) {
            free.push(call);
        }
        acknowledgements.holdInputs();
    }

    /** Makes the first call of each service object. */
    void start() throws Exception {
        for (ConcurrentCall call : all) {
            call.start();
        }
    }

    @Override
    public int room() {
        return free.size();
    }

    @Override
    public int unfinished() {
        return taken.size();
    }

    @Override
    public boolean consumed(long sequence, long position) {
        acknowledgements.consumed(sequence, position);
        return true;
    }

    @Override
    public boolean isTurn() {
        return lettered != null;
    }

    @Override
    public long dueAt() {
        return dueAt;
    }

    /** Takes an input, for which there is a free call. */
    void add(Frame frame) {
        Taken input = new Taken(InboundMessage.copy(frame), free.pop());
        taken.add(input);
        if (taken.size() == 1) {
            acknowledgements.holdFrom(frame.sequence());
        }
        input.hasStoredLetter = failed.letters() != null && failed.letters().hasStored(frame.sequence());
        if (input.hasStoredLetter || RequestCalls.isReply(frame)) {
            input.hasEnded = true;
            input.isReleased = true;
            return;
        }
        makeCurrent(input);
        if (message.key() != null) {
            input.key = message.key().slice();
        }
        Taken before = newest.remove(input.key); // the map keeps the key of the input that is put first
        newest.put(input.key, input);
        if (before == null) {
            call(input);
        } else {
            before.behind = input;
        }
    }

    private void call(Taken input) {
        input.call.begin(input.frame, message, context);
        try {
            threads.execute(() -> {
                input.thrown = input.call.run();
                ended.add(input);
                plan.loop().wake();
            });
        } catch (Throwable noThread) {
            input.call.withdraw();
            input.thrown = noThread;
            ended.add(input);
        }
    }

    /** Continues with the calls that have ended, and settles inputs. Returns the number of inputs that are settled. */
    @Override
    public int turn(TopicWriter writer, int maxOutputs, BatchTime time) {
        for (Taken input = ended.poll(); input != null; input = ended.poll()) {
            CompletionStage<?> stage = input.call.takeStage();
            if (stage == null) {
                callEnded(input);
            } else {
                await(input, stage);
            }
        }
        for (Completed each = completed.poll(); each != null; each = completed.poll()) {
            stageEnded(each);
        }
        if (dueAt != Long.MAX_VALUE) {
            handleDue(environment.nanoTime());
        }
        int settled = 0;
        outlet.beginBatch();
        while (!taken.isEmpty() && !acknowledgements.isFull() && trySettle(taken.peek(), maxOutputs)) {
            Taken input = taken.poll();
            free.push(input.call);
            if (!input.isReleased) {
                release(input);
            }
            settled++;
        }
        if (settled > 0) {
            acknowledgements.holdFrom(
                    taken.isEmpty() ? Long.MAX_VALUE : taken.peek().frame.sequence());
        }
        return settled;
    }

    private void await(Taken input, CompletionStage<?> stage) {
        input.stage = stage;
        dueAfter(input, input.call.timeoutNanos());
        try {
            stage.whenComplete((result, thrown) -> {
                completed.add(new Completed(input, stage, result, thrown));
                plan.loop().wake();
            });
        } catch (Throwable refused) { // by a class of the application
            completed.add(new Completed(input, stage, null, refused));
        }
    }

    private void stageEnded(Completed done) {
        Taken input = done.input;
        if (input.stage != done.stage) {
            return; // its time was over
        }
        input.stage = null;
        input.dueAt = Long.MAX_VALUE;
        input.thrown = done.thrown == null
                ? input.call.complete(done.result)
                : done.thrown instanceof CompletionException && done.thrown.getCause() != null
                        ? done.thrown.getCause()
                        : done.thrown;
        callEnded(input);
    }

    private void timeOut(Taken input) {
        cancel(input);
        input.thrown =
                new TimeoutException("the stage that service " + plan.name() + " returned was not complete within "
                        + input.call.timeoutNanos() / 1_000_000 + " ms; Concurrency.timeout(...) sets the limit");
        callEnded(input);
    }

    private static void cancel(Taken input) {
        CompletionStage<?> stage = input.stage;
        input.stage = null;
        AsyncStart.cancel(stage);
    }

    private void callEnded(Taken input) {
        if (input.thrown == null) {
            input.hasEnded = true;
            release(input);
            return;
        }
        input.failures++;
        if (failed.isRetried(input.thrown, input.failures)) {
            makeCurrent(input);
            failed.after(input.thrown, input.failures);
            pause(input);
        } else {
            input.hasEnded = true;
        }
    }

    private void release(Taken input) {
        input.isReleased = true;
        if (input.behind == null) {
            newest.remove(input.key);
        } else {
            call(input.behind);
        }
    }

    private void pause(Taken input) {
        input.hasEnded = false;
        dueAfter(input, plan.errors().of(input.thrown).pauseNanos(input.failures, input.frame.sequence()));
    }

    private void dueAfter(Taken input, long nanos) {
        input.dueAt = environment.nanoTime() + nanos;
        if (dueAt == Long.MAX_VALUE || input.dueAt - dueAt < 0) {
            dueAt = input.dueAt;
        }
    }

    /** Makes the retries and ends the stages whose time has come. */
    private void handleDue(long now) {
        if (now - dueAt < 0) {
            return;
        }
        dueAt = Long.MAX_VALUE;
        for (Taken input : taken) {
            if (input.dueAt == Long.MAX_VALUE) {
                continue;
            }
            if (now - input.dueAt >= 0) {
                input.dueAt = Long.MAX_VALUE;
                if (input.stage == null) {
                    call(input);
                } else {
                    timeOut(input);
                }
            } else if (dueAt == Long.MAX_VALUE || input.dueAt - dueAt < 0) {
                dueAt = input.dueAt;
            }
        }
    }

    private void makeCurrent(Taken input) {
        message.of(input.frame, input.frame.head());
    }

    /** Settles the oldest input if it is handled, skipped, or has its dead letter stored. Returns whether that is so. */
    private boolean trySettle(Taken input, int maxOutputs) {
        if (!input.hasEnded || failed.hasStopped()) {
            return false;
        }
        if (outlet.frames().remainingCapacity() < Math.max(1, maxOutputs)) {
            return false;
        }
        makeCurrent(input);
        if (input.hasStoredLetter) {
            giveUp(input);
            return true;
        }
        if (input == lettered) {
            if (!failed.hasStoredLetter()) {
                return false;
            }
            giveUp(input);
            return true;
        }
        return input.thrown == null ? trySend(input) : applyPolicy(input);
    }

    /** Replies to an input that is given up, if it is a request. */
    private void giveUp(Taken input) {
        lettered = null;
        calls.giveUp(input.frame, input.frame.sequence(), input.thrown);
    }

    private boolean trySend(Taken input) {
        long before = outlet.writer().sequence();
        try {
            calls.write(input.frame, input.call.outputs());
            return true;
        } catch (Throwable refused) { // for example an output that is too long with its fields
            calls.rollBack(before);
            input.thrown = refused;
            input.failures = plan.errors().of(refused).retries() + 1; // later inputs of the key may be handled already
            return applyPolicy(input);
        }
    }

    /** Applies the error policy to the current input. Returns whether it is settled. */
    private boolean applyPolicy(Taken input) {
        return switch (failed.after(input.thrown, input.failures)) {
            case AGAIN -> {
                pause(input);
                yield false;
            }
            case LETTER -> {
                lettered = input;
                yield false;
            }
            case SKIPPED -> {
                giveUp(input);
                yield true;
            }
            case STOPPED -> false;
        };
    }

    /** Makes the call of the next service object at an orderly close. Returns the number of those that follow. */
    int closing(Outlet to) throws Exception {
        all[toldClosing++].closing(to);
        return all.length - toldClosing;
    }

    /**
     * Interrupts the calls that are at work, and cancels their stages. Returns whether no thread makes a call, or the calls
     * have ignored their interrupts for too long. Such a call ends later, while the topics belong to others.
     */
    boolean tryClose() {
        taken.stream().filter(each -> each.stage != null).forEach(ConcurrentCalls::cancel);
        if (threads instanceof ExecutorService pool) {
            pool.shutdownNow();
        }
        for (ConcurrentCall call : all) {
            if (call.isAtWork()) {
                return isTooLate();
            }
        }
        return true;
    }

    private boolean isTooLate() {
        long now = environment.nanoTime();
        if (!isInterrupted) {
            isInterrupted = true;
            interruptedAt = now;
        }
        return now - interruptedAt >= INTERRUPTED_NANOS;
    }

    /** Makes the last call of each service object; the thread of a call that is at work makes it afterwards. */
    void close() {
        tryClose();
        Failures.inOrder(Arrays.stream(all)
                .map(call -> (Runnable) () -> call.close(plan))
                .toArray(Runnable[]::new));
    }
}
