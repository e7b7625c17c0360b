package dev.baton.lab.request;

import dev.baton.operations.settings.Range;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * The messages of a trial and their times: an open loop, whose send times are fixed before the run; or, at saturation, as much as the
 * chains accept.
 *
 * @param ratePerSecond of each instance, from {@value #LEAST_RATE} to {@value #MOST_RATE}; the latter at saturation, where it has no
 *     meaning
 * @param arrivals distribution of the send times
 * @param seed of all random values: phases of the instances, gaps, payloads
 * @param concurrency at saturation, requests that each instance has in flight at any time: a closed loop of this many clients, each of
 *     which sends its next when it has its answer; 0: as many as the chain accepts
 * @param burst messages of a burst, which are due at once; 0 where arrivals are no bursts
 * @param latencyFrom the moment from which an instance's latencies are judged; results have both readings
 * @param generator thread that sends; null in files of earlier versions, which means {@link Generator#LOOP}
 * @param replay recorded traffic; null where it is not replayed
 * @param firstInstance number of the first instance of this process; 0 unless processes share the instances of a trial
 * @param backlog messages of each instance that are due at once when the measurement begins, besides those at the rate; 0: none
 */
public record Load(
        double ratePerSecond,
        Arrivals arrivals,
        long seed,
        int concurrency,
        int burst,
        LatencyFrom latencyFrom,
        Generator generator,
        Replay replay,
        int firstInstance,
        int backlog) {
    public static final double LEAST_RATE = 0.001;
    public static final double MOST_RATE = 10_000_000;
    public static final int MOST_CONCURRENCY = 100_000;
    public static final int LEAST_BURST = 2;
    public static final int MOST_BURST = 10_000;
    public static final int MOST_BACKLOG = 100_000_000;

    /**
     * The most messages in flight at saturation, of all instances together, unless {@link #LEAST_IN_FLIGHT} makes it more: ten
     * rings of 1024.
     */
    private static final int MOST_IN_FLIGHT = 10 << 10;

    /** The least number of messages in flight of each instance at saturation: enough for a batch at every hop. */
    private static final int LEAST_IN_FLIGHT = 256;

    /** The least number of messages of each instance at saturation before any has arrived, however many instances there are. */
    private static final int FIRST_IN_FLIGHT = 16;

    /** The distribution of send times. */
    public enum Arrivals {
        /** {@code start + k * interval}. */
        EVEN,
        /** A seeded Poisson process: independent gaps, exponentially distributed. */
        POISSON,
        /** {@link Load#burst} messages at once, then none until the rate allows the next burst. */
        BURSTS,
        /** The recorded times of {@link Load#replay}. */
        REPLAYED,
        /** No message is sent: what a chain takes without messages. The rate has no meaning. */
        NONE,
        /**
         * Saturate: limited by back-pressure, so that latencies are no response times at a rate. In addition no more than {@link
         * Load#inFlight} messages are in flight, and no more than the chain has passed on within a second: some transports have no bound
         * of their own, and all messages in flight at the end of the window have to arrive before the deadline.
         */
        SATURATED
    }

    /**
     * Recorded traffic.
     *
     * @param file with times and lengths
     * @param speed by which it is replayed faster
     */
    public record Replay(DataFile file, double speed) {
        private static final double LEAST_SPEED = 0.001;
        private static final double MOST_SPEED = 1000;

        public Replay {
            Objects.requireNonNull(file, "file");
            if (!(speed >= LEAST_SPEED && speed <= MOST_SPEED)) {
                throw new IllegalArgumentException(
                        "speed " + speed + " is out of range; " + LEAST_SPEED + " to " + MOST_SPEED);
            }
        }
    }

    /** The begin of a latency. */
    public enum LatencyFrom {
        /** From the time when the message was due. */
        SLOT,
        /** From the time when it was sent: a stall of the sender is visible in no message, which is coordinated omission. */
        SEND
    }

    /** Threads that messages can be sent from. */
    public enum Generator {
        /**
         * A thread of its own, outside of what is measured, as callers of a chain are: it sleeps until shortly before a slot,
         * then spins. One such thread sends for all instances of a process.
         */
        THREAD,
        /**
         * The loop that carries the chain's first topic, whose pauses delay the sends. Reference loops with a thread per
         * service have a sending thread that pauses as the services do.
         */
        LOOP
    }

    public Load {
        if (!(ratePerSecond >= LEAST_RATE && ratePerSecond <= MOST_RATE)) {
            throw new IllegalArgumentException("rate " + ratePerSecond + " messages per second is out of range; "
                    + LEAST_RATE + " to " + MOST_RATE);
        }
        Objects.requireNonNull(arrivals, "arrivals");
        latencyFrom = latencyFrom == null ? LatencyFrom.SLOT : latencyFrom; // absent from older files
        Range.check("concurrency", concurrency, 0, arrivals == Arrivals.SATURATED ? MOST_CONCURRENCY : 0);
        generator = generator == null ? Generator.LOOP : generator; // absent from older files
        boolean isBursts = arrivals == Arrivals.BURSTS;
        Range.check("first instance", firstInstance, 0, Shape.MOST_INSTANCES);
        Range.check("backlog", backlog, 0, arrivals == Arrivals.EVEN ? MOST_BACKLOG : 0);
        Range.check("messages of a burst", burst, isBursts ? LEAST_BURST : 0, isBursts ? MOST_BURST : 0);
    }

    /** A load that no number of clients closes. */
    public Load(double ratePerSecond, Arrivals arrivals, long seed) {
        this(ratePerSecond, arrivals, seed, 0, 0, null, null, null, 0, 0);
    }

    /** A closed loop: so many clients, each of which sends its next request when its answer is there. */
    public static Load closed(int concurrency, long seed) {
        Range.check("concurrency", concurrency, 1, MOST_CONCURRENCY);
        return new Load(MOST_RATE, Arrivals.SATURATED, seed, concurrency, 0, null, null, null, 0, 0);
    }

    /**
     * Returns the load of one of the processes that share a trial.
     *
     * @param process number of the process, from 0
     * @param first number of its first instance within the trial
     */
    public Load shared(int process, int first) {
        return new Load(
                ratePerSecond,
                arrivals,
                seed + process,
                concurrency,
                burst,
                latencyFrom,
                generator,
                replay,
                firstInstance + first,
                backlog);
    }

    public Load seeded(long other) {
        return new Load(
                ratePerSecond,
                arrivals,
                other,
                concurrency,
                burst,
                latencyFrom,
                generator,
                replay,
                firstInstance,
                backlog);
    }

    /** Returns the load with another distribution of its send times. @param messages of a burst; 0 for other arrivals */
    public Load arriving(Arrivals other, int messages) {
        return new Load(
                ratePerSecond,
                other,
                seed,
                concurrency,
                messages,
                latencyFrom,
                generator,
                replay,
                firstInstance,
                backlog);
    }

    /** Returns the load with a backlog. @param messages that are due at once when the measurement begins */
    public Load after(int messages) {
        return new Load(
                ratePerSecond,
                arrivals,
                seed,
                concurrency,
                burst,
                latencyFrom,
                generator,
                replay,
                firstInstance,
                messages);
    }

    /** Returns the load at another rate. */
    public Load at(double perSecond) {
        return new Load(
                perSecond, arrivals, seed, concurrency, burst, latencyFrom, generator, replay, firstInstance, backlog);
    }

    /** Returns this load with another begin of its latencies. */
    public Load readFrom(LatencyFrom other) {
        return new Load(
                ratePerSecond, arrivals, seed, concurrency, burst, other, generator, replay, firstInstance, backlog);
    }

    /** Returns this load, sent from another thread. */
    public Load sentFrom(Generator other) {
        return new Load(
                ratePerSecond, arrivals, seed, concurrency, burst, latencyFrom, other, replay, firstInstance, backlog);
    }

    /** {@return whether a thread outside of what is measured sends} */
    public boolean isSentFromThread() {
        return generator == Generator.THREAD;
    }

    /** {@return whether latencies are judged from the actual send of an open loop} */
    public boolean isReadFromSend() {
        return latencyFrom == LatencyFrom.SEND;
    }

    /** {@return the distribution of send times, to follow a rate in a sentence; empty for even intervals} */
    public String manner() {
        return switch (arrivals) {
            case EVEN -> backlog == 0 ? "" : " after a backlog of " + String.format(Locale.ROOT, "%,d", backlog);
            case SATURATED, NONE -> "";
            case POISSON -> " (Poisson arrivals)";
            case BURSTS -> " (in bursts of " + burst + ")";
            case REPLAYED ->
                " on average (" + Path.of(replay.file().path()).getFileName() + " replayed"
                        + (replay.speed() == 1
                                ? ""
                                : " at "
                                        + new BigDecimal(replay.speed() + "")
                                                .stripTrailingZeros()
                                                .toPlainString() + "x")
                        + ")";
        };
    }

    /**
     * Messages by which a stretch of time may hold fewer than the rate says, as even as arrivals are: the last burst,
     * five standard deviations, or all messages of a record.
     */
    public long mostMissing(double messages) {
        return switch (arrivals) {
            case EVEN, SATURATED, NONE -> 0;
            case POISSON -> (long) Math.ceil(5 * Math.sqrt(messages));
            case BURSTS -> burst;
            case REPLAYED -> replay.file().rows();
        };
    }

    /**
     * Returns the load of recorded traffic.
     *
     * @param recordedNanos that all messages of the file take together
     */
    public static Load replaying(Replay replay, long recordedNanos, long seed) {
        double rate = replay.file().rows() * 1e9 / recordedNanos * replay.speed();
        return new Load(rate, Arrivals.REPLAYED, seed, 0, 0, null, null, replay, 0, 0);
    }

    /** Returns the load of chains without messages. */
    public static Load none(long seed) {
        return new Load(LEAST_RATE, Arrivals.NONE, seed);
    }

    /** {@return whether no message is sent} */
    public boolean isNone() {
        return arrivals == Arrivals.NONE;
    }

    /** Returns a load for which every instance sends as long as there is room. */
    public static Load saturating(long seed) {
        return new Load(MOST_RATE, Arrivals.SATURATED, seed);
    }

    /** Messages that each of so many instances may have sent at saturation and not yet received. */
    public int inFlight(int instances) {
        return isClosed() ? concurrency : Math.max(LEAST_IN_FLIGHT, MOST_IN_FLIGHT / instances);
    }

    /** Messages that each of so many instances may have in flight at saturation before any has arrived. */
    public int firstInFlight(int instances) {
        return isClosed() ? concurrency : Math.max(FIRST_IN_FLIGHT, LEAST_IN_FLIGHT / instances);
    }

    /** {@return whether it is a closed loop of clients} */
    public boolean isClosed() {
        return concurrency > 0;
    }

    public boolean isSaturated() {
        return arrivals == Arrivals.SATURATED;
    }

    /** The time between two messages of one instance, on average. */
    public double intervalNanos() {
        return 1e9 / ratePerSecond;
    }
}
