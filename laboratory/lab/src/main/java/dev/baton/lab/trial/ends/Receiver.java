package dev.baton.lab.trial.ends;

import dev.baton.lab.request.Load;
import dev.baton.lab.request.Shape;
import dev.baton.lab.results.Incident;
import dev.baton.lab.results.Incident.Kind;
import dev.baton.lab.trial.ends.Instruments.Meters;
import dev.baton.measuring.Counter;
import dev.baton.measuring.DeliveryAccount;
import dev.baton.measuring.DeliveryAccount.Arrival;
import dev.baton.measuring.InstanceHistogram;
import dev.baton.measuring.LatencyHistograms;
import dev.baton.measuring.LatencyRecorder;
import dev.baton.measuring.NanoClock;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.RecorderPool;
import dev.baton.measuring.rig.MessageSink;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the messages that come out of one instance: accounts for each, and records its latency.
 *
 * <p>Its {@link Recognition} identifies a message by its origin or its tag. Messages with the origin of a warm-up slot are counted and not
 * recorded, those of measured slots are recorded however late they are, until the deadline. At saturation, where the origin is the actual
 * send, it decides likewise; but in a closed loop of clients, messages answered within the window are recorded, whenever they were sent.
 *
 * <p>Messages that arrive after the deadline are counted as well, and charged as if they had arrived at the deadline: they were not drained
 * in time, but they are not lost.
 *
 * <p>Confined to the thread of the chain's outlet; {@link #receivedCount} may be called by any thread, {@link #settle} and the account
 * after that thread has ended.
 */
public class Receiver implements MessageSink {
    private static final int MOST_INCIDENTS = 5;

    private final int instance;
    final Load load;
    final int services;
    private final PayloadPattern pattern;
    private final MessageNumbers numbers;
    private final long[] times; // of recorded traffic; null for none
    final Window window;
    final NanoClock clock;
    private final RecorderPool pool;
    private final ArrivalListener listener;
    public final InstanceHistogram responses; // of this instance alone
    private final boolean isReadFromSend;
    private final int outsideWhenLate; // 1: what comes after the window is no part of the measurement
    private volatile long firstNanos; // 0: nothing has arrived
    public final DeliveryAccount account = new DeliveryAccount();
    private final Counter received = new Counter();
    private final List<Incident> incidents = new ArrayList<>();
    private LatencyRecorder[] recorders; // by phase
    Recognition recognition; // null until the first message
    private byte[] scratch; // null until the first message
    private long lastNanos; // when the message before arrived
    private long withinWindow;
    private long late;
    private long firstLate = Long.MAX_VALUE; // index of the first measured one
    private long lateMeasured;

    public Receiver(
            int instance, Load load, Shape shape, PayloadPattern pattern, Meters meters, ArrivalListener listener) {
        this(instance, load, shape, pattern, MessageNumbers.ALL, meters, listener);
    }

    /** Creates a receiver of some messages of its instance. */
    Receiver(
            int instance,
            Load load,
            Shape shape,
            PayloadPattern pattern,
            MessageNumbers numbers,
            Meters meters,
            ArrivalListener listener) {
        this.instance = instance;
        this.numbers = numbers;
        this.load = load;
        this.services = shape.services();
        this.pattern = pattern;
        this.listener = listener;
        window = meters.window();
        clock = meters.clock();
        times = meters.times();
        pool = meters.recorders();
        responses = new InstanceHistogram(meters.highestNanos());
        isReadFromSend = load.isReadFromSend();
        outsideWhenLate = load.isClosed() ? 1 : 0;
    }

    @Override
    public void onMessage(long originNanos, int tag, int hops, int length, PayloadPattern.Origin payload) {
        long now = clock.nanoTime();
        if (recognition == null) {
            begin(now, originNanos);
        }
        long expected = numbers.number(account.next());
        long number = recognition.numberOf(originNanos, tag, expected, now);
        if (number < 0) {
            corrupted(expected, "its origin is not a message of this instance");
            return;
        }
        long index = numbers.index(number);
        if (index < 0) {
            corrupted(number, "its key is of another partition");
            return;
        }
        if (hops != services || length != pattern.length(number) || (length > 0 && !isIntact(number, payload))) {
            corrupted(number, contentFault(hops, length, pattern.length(number)));
        }
        Arrival arrival = account.arrived(index);
        if (arrival == Arrival.DUPLICATE) {
            note(number, Kind.DUPLICATED, "it had arrived before");
            return;
        }
        if (arrival == Arrival.REORDERED) {
            long before = numbers.number(account.next() - 1);
            note(number, Kind.REORDERED, "message " + (before + 1) + " had arrived before it");
        }
        enter(index, originNanos, now, recognition.sendDelayNanos(tag), true);
    }

    /**
     * Records an arrival.
     *
     * @param isWhole whether no more outputs follow: messages are counted by their last output
     */
    final void enter(long index, long originNanos, long now, long sendDelay, boolean isWhole) {
        if (now - window.deadlineNanos() >= 0) {
            int phase = RecorderPool.phase(originNanos, window.measureNanos());
            record(phase, originNanos, window.deadlineNanos() - originNanos, sendDelay);
            if (isWhole) {
                countLate(index, phase);
            }
            return;
        }
        if (isWhole) {
            received.increment();
            // Without a branch: the JVM would discard the compiled loop when the window begins, at the first arrival
            // within it.
            withinWindow +=
                    RecorderPool.phase(now, window.endNanos()) & ~RecorderPool.phase(now, window.measureNanos());
        }
        long decidingNanos = load.isClosed() ? now : originNanos; // whether it belongs to the measurement
        int phase = RecorderPool.phase(decidingNanos, window.measureNanos())
                | outsideWhenLate & 1 - RecorderPool.phase(decidingNanos, window.endNanos());
        record(phase, originNanos, now - originNanos, sendDelay);
        lastNanos = now;
        listener.onArrival(originNanos, sendDelay, now - originNanos);
    }

    /** The first message has arrived. */
    final void begin(long now, long originNanos) {
        firstNanos = now;
        lastNanos = originNanos;
        begin();
    }

    private void begin() {
        recorders = pool.forThisThreadByPhase();
        scratch = pattern.scratch();
        recognition = recognition();
    }

    /** {@return the way in which this receiver identifies messages} */
    Recognition recognition() {
        return load.isSaturated()
                ? new Recognition.ByTag(window)
                : new Recognition.BySlot(Schedules.of(load, times, instance, window));
    }

    private void record(int phase, long originNanos, long responseNanos, long sendDelayNanos) {
        recorders[phase].recordMessage(originNanos, sendDelayNanos, responseNanos, lastNanos);
        responses.record(
                phase, isReadFromSend ? responseNanos - sendDelayNanos : responseNanos); // it is judged by that
    }

    private void countLate(long index, int phase) {
        late++;
        if (phase == RecorderPool.MEASURED) {
            lateMeasured++;
            firstLate = Math.min(firstLate, index);
        }
    }

    private boolean isIntact(long number, PayloadPattern.Origin payload) {
        payload.copyTo(scratch, pattern.length(number));
        return pattern.matches(number, scratch);
    }

    private String contentFault(int hops, int length, int expected) {
        if (hops == DAMAGED) {
            return "its slot or its send delay was altered";
        }
        if (hops != services) {
            return hops + " hops instead of " + services;
        }
        return length == expected ? "its payload was altered" : length + " bytes of payload instead of " + expected;
    }

    final void corrupted(long number, String detail) {
        account.corrupted();
        note(number, Kind.CORRUPTED, detail);
    }

    final void note(long number, Kind kind, String detail) {
        if (incidents.size() < MOST_INCIDENTS) {
            incidents.add(new Incident(instance + 1, number + 1, kind, detail));
        }
    }

    /** {@return whether all outputs of this number of messages have arrived} May be called by any thread. */
    boolean isAnswered(long sent) {
        return receivedCount() >= sent;
    }

    /** Ends the receiving: counts the messages of so many sent that lead to no output. Before {@link #settle}. */
    public void passAll(long sent) {}

    /** Messages that nothing had to come of, as far as that is known; of all after {@link #passAll}. For any thread. */
    public long filteredCount() {
        return 0;
    }

    /** Describes the missing messages. */
    String missingDetail(long first, long last) {
        return first == last ? "not arrived" : "not arrived, nor the next " + (last - first);
    }

    /** Messages received for the first time so far, warm-up included. */
    public long receivedCount() {
        return received.count();
    }

    /** {@return the arrival of the first message, on the trial's clock; 0 before} May be called by any thread. */
    public long firstNanos() {
        return firstNanos;
    }

    /** {@return whether the message with a number comes here} */
    boolean receives(long number) {
        return numbers.contains(number);
    }

    /**
     * {@return messages that have not arrived}
     *
     * @param sent messages of the instance that were sent, warm-up included
     */
    public long missingCount(long sent) {
        return account.lostCount(numbers.countBelow(sent));
    }

    /** Messages that first arrived within the window, whenever they were sent. */
    public long withinWindowCount() {
        return withinWindow;
    }

    /** Messages that first arrived after the deadline, warm-up included. */
    public long lateCount() {
        return late;
    }

    /** The first few faults; complete after {@link #settle}. */
    public List<Incident> incidents() {
        return incidents;
    }

    /**
     * Charges every measured message that was sent and has not arrived as if it had arrived at the deadline. Its service
     * time is charged from its slot as well, which is the most it can be. A message whose number the account did not keep is
     * charged as if it were the first one measured.
     *
     * @param sent messages of the instance that were sent, warm-up included
     * @param firstMeasured number of the first one to charge
     * @param inTimeEnd number after that of the last one that was sent within the window
     * @param isDrained whether what has not arrived is lost
     * @return measured messages, sent within the window, that had not arrived by the deadline
     */
    public long settle(long sent, long firstMeasured, long inTimeEnd, boolean isDrained, LatencyHistograms sum) {
        if (sent == 0) {
            return 0;
        }
        if (recognition == null) {
            begin();
        }
        long firstIndex = numbers.countBelow(firstMeasured);
        long[] missing = {Math.max(0, Math.min(lateMeasured, numbers.countBelow(inTimeEnd) - firstLate))};
        account.forEachLost(numbers.countBelow(sent), (first, last) -> {
            if (isDrained) {
                note(numbers.number(first), Kind.LOST, missingDetail(first, last));
            }
            for (long index = Math.max(first, firstIndex); index <= last; index++) {
                long number = numbers.number(index);
                long nanos = window.deadlineNanos() - recognition.originNanos(number);
                sum.recordArrival(nanos, nanos);
                responses.record(nanos);
                missing[0] += number < inTimeEnd ? 1 : 0;
            }
        });
        long longestNanos = window.deadlineNanos() - window.measureNanos();
        for (long unplaced = account.unplacedCount(); unplaced > 0; unplaced--) {
            sum.recordArrival(longestNanos, longestNanos);
            responses.record(longestNanos);
            missing[0]++;
        }
        return missing[0];
    }
}
