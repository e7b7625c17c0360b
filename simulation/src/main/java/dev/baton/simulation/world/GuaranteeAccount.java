package dev.baton.simulation.world;

import dev.baton.Message;
import dev.baton.partitions.Partitions;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.plan.Violation;
import dev.baton.simulation.time.SimProcess;
import dev.baton.spi.Cause;
import dev.baton.spi.PartitionTopic;
import dev.baton.spi.errors.TopicMismatchException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The account of all guarantees: it checks them when an input is acknowledged or a message delivered, and at the end, when the storage has
 * to contain the outputs of every service for its inputs. It collects violations and never throws, as core might catch the exception.
 * Confined to the baton's holder.
 */
final class GuaranteeAccount {
    private record Confirmation(Run run, long sequence, long payload) {}

    /** The check of the first topics of all partitions: they contain the sent messages, each once and in order. */
    private final class FirstTopics {
        private final Map<Long, Integer> found = new HashMap<>(); // payloads
        private final Set<Long> dropped = new HashSet<>();
        private final List<Long> repeated = new ArrayList<>();

        /** Reads one of the topics. */
        void check(SimTopic first) {
            Map<Long, Long> newest = new HashMap<>(); // by incarnation
            for (SimTopic.Entry entry : first.log) {
                if (entry.isMarker()) {
                    continue;
                }
                if (!entry.counts) {
                    dropped.add(entry.payload);
                    continue;
                }
                if (!offered.containsKey(entry.payload) || takenBack.contains(entry.payload)) {
                    violate(
                            Rule.INVENTED,
                            "topic " + first.name + " holds " + entry.payload + ", which was never sent",
                            null);
                }
                if (entry.cause != 0 || Cause.isOfTick(entry.cause)) {
                    violate(Rule.INVENTED, "topic " + first.name + " holds a frame with a cause", null);
                }
                if (found.merge(entry.payload, 1, Integer::sum) > 1) {
                    repeated.add(entry.payload);
                }
                Long before = newest.put(entry.author.id(), entry.payload);
                if (before != null && before >= entry.payload && !setting.resends) {
                    violate(Rule.ORDER, "topic " + first.name + " holds " + entry.payload + " behind " + before, null);
                }
            }
        }

        /** Checks the confirmed sequences after all topics were read. */
        void check(List<Long> confirmed) {
            for (long payload : confirmed) {
                if (!found.containsKey(payload) && !dropped.contains(payload)) {
                    violate(Rule.LOST, "message " + payload + " was confirmed and is not stored", null);
                }
            }
            for (long payload : repeated) {
                violate(
                        Rule.REPEATED,
                        "message " + payload + " is in the first topic " + found.get(payload) + " times",
                        null);
            }
        }
    }

    private final World world;
    private final Setting setting;
    private final List<SimulatedHop> hops = new ArrayList<>(); // partition by partition
    private final MergeEdge merge; // null: none
    private final RequestAccount requests;
    private final Map<Long, SimProcess> offered = new HashMap<>(); // payloads, by the process that sent them
    private final Set<Long> takenBack = new HashSet<>();
    private final List<Confirmation> unconfirmed = new ArrayList<>();
    private final List<Long> confirmed = new ArrayList<>();
    private final Set<Long> delivered = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();
    private long payloads;
    private long deliveredUpTo; // sequence, where there is one partition
    boolean isTampered;

    GuaranteeAccount(World world) {
        this.world = world;
        this.setting = world.setting;
        this.requests = new RequestAccount(world, this);
        for (int partition = 0; partition < setting.partitions; partition++) {
            for (int i = 0; i < setting.steps.size(); i++) {
                hops.add(SimulatedHop.of(this, world, names(partition, i), i, setting.steps.get(i)));
            }
        }
        merge = setting.isMerged ? new MergeEdge(this, world) : null;
        if (merge != null) {
            hops.add(merge.branch());
        }
    }

    RequestAccount requests() {
        return requests;
    }

    MergeEdge merge() {
        return merge;
    }

    String topic(int partition, int index) {
        return setting.partitions == 1 ? "c-" + index : "c-" + index + "@" + partition;
    }

    private SimulatedHop.Names names(int partition, int index) {
        String suffix = setting.partitions == 1 ? "" : "@" + partition;
        return new SimulatedHop.Names(
                topic(partition, index),
                topic(partition, index + 1),
                "c-" + index + ".dead-letters" + suffix,
                "c-" + index + ".snapshots" + suffix,
                "c-" + index + ".retries" + suffix,
                "s" + index);
    }

    void violate(Rule rule, String text, Throwable cause) {
        violations.add(new Violation(rule, text, cause));
        world.says("VIOLATION " + rule + ": " + text);
    }

    boolean hasViolation() {
        return !violations.isEmpty();
    }

    Violation violation() {
        return violations.get(0);
    }

    long newPayload() {
        long payload = ++payloads;
        offered.put(payload, world.scheduler.current.process);
        return payload;
    }

    /** Records a payload that may be in the topic from now on. */
    void offered(long payload) {
        world.trace.fact(payload);
    }

    /** Removes a payload whose callback has thrown. */
    void takenBack(long payload) {
        takenBack.add(payload);
    }

    void sent(Run run, long payload, long sequence) {
        unconfirmed.add(new Confirmation(run, sequence, payload));
    }

    /** Records that the sender received the confirmation that everything up to this sequence is stored. */
    void confirmed(Run run, long sequence) {
        for (int i = 0; i < unconfirmed.size(); i++) {
            Confirmation each = unconfirmed.get(i);
            if (each.run == run && each.sequence <= sequence) {
                confirmed.add(each.payload);
                unconfirmed.remove(i--);
            }
        }
    }

    /** Records that a callback of a chain is called. */
    void called(Run run) {
        if (run.hasFailed && setting.partitions == 1) { // a partition that fails stops alone
            violate(Rule.FAILED_RUNS, "a callback in " + run.process + " after its chain failed", null);
        }
        if (run.isClosed) {
            violate(Rule.LEFT_BEHIND, "a callback in " + run.process + " after its chain was closed", null);
        }
    }

    void delivered(Run run, Message message) {
        called(run);
        delivered.add(message.getLong(0));
        world.trace.fact(message.sequence());
        if (setting.partitions > 1) {
            return;
        }
        long sequence = message.sequence();
        boolean isInOrder = run.lastDelivered == 0
                ? sequence <= messageAfter(deliveredUpTo)
                : sequence == messageAfter(run.lastDelivered);
        if (!isInOrder && !isTampered) {
            violate(
                    Rule.ORDER,
                    "the sink of " + run.process + " got " + sequence + " after " + run.lastDelivered
                            + ", all outlets so far " + deliveredUpTo,
                    null);
        }
        run.lastDelivered = sequence;
        deliveredUpTo = Math.max(deliveredUpTo, sequence);
    }

    /** Returns the sequence of the next frame in the last topic that its handler receives. */
    private long messageAfter(long sequence) {
        SimTopic last = setting.asks ? world.storage.find(topic(0, setting.steps.size())) : null;
        return last == null
                ? sequence + 1
                : last.frames().stream()
                        .mapToLong(entry -> entry.sequence)
                        .filter(each -> each > sequence)
                        .findFirst()
                        .orElse(sequence + 1);
    }

    /** Records that the chain of a run stopped. */
    void failed(Run run, Throwable cause) {
        if (run.process.isDead) {
            return;
        }
        run.hasFailed = true;
        world.says("chain of " + run.process + " failed: " + cause);
        explain(run, cause);
    }

    void startFailed(Run run, Throwable cause) {
        explain(run, cause);
    }

    /** Records that a message was refused. */
    void refused(Run run, Throwable cause) {
        world.says("refused: " + cause);
        if (!run.hasFailed && !run.isClosed && !(cause instanceof IllegalStateException)) {
            explain(run, cause);
        }
    }

    private void explain(Run run, Throwable cause) {
        SimProcess process = run.process;
        if (process.isRecovery && isTampered && setting.keepsState() && cause instanceof TopicMismatchException) {
            world.recoveryRefused();
        }
        if (!process.metFault && !process.isReplaced && !process.metRival && !run.mayFail && !isTampered) {
            violate(Rule.UNEXPECTED, process + " failed without a reason: " + cause, cause);
        }
    }

    void closed(Run run, boolean isDrained, boolean isWhole) {
        if (isDrained && !run.process.isReplaced && !run.process.isDead) { // a fault may kill it before it reports
            confirmed.addAll(run.sent);
            unconfirmed.removeIf(each -> each.run == run);
            if (isWhole && !isTampered && !setting.hasMemory() && !setting.isPerKey && run.process.isOneOfOne()) {
                for (long payload : run.sent) {
                    checkCameOut(payload, Rule.LOST, "though the close of " + run.process + " was complete");
                }
            }
        }
    }

    private void checkCameOut(long payload, Rule rule, String when) {
        long[] expected = {payload};
        for (int i = 0; i < setting.steps.size(); i++) {
            List<Long> next = new ArrayList<>();
            for (long each : expected) {
                for (SimulatedHop hop : hops) {
                    if (hop.index == i && hop.isExcused(each)) {
                        return;
                    }
                }
                for (long output : Steps.outputs(setting.steps.get(i), each)) {
                    next.add(output);
                }
            }
            expected = next.stream().mapToLong(Long::longValue).toArray();
        }
        for (long output : expected) {
            if (!delivered.contains(output)) {
                violate(rule, "message " + payload + " has not come out " + when, null);
            }
        }
    }

    /** Checks that everything that a run sent has come out by now. */
    void checkAllCameOut(Run run, Rule rule) {
        if (!run.hasFailed) {
            for (long payload : run.sent) {
                checkCameOut(payload, rule, "after a while in " + run.process);
            }
        }
    }

    void deadLetter(Run run, int step, long payload, int attempts) {
        int failures = setting.isKeyed() ? attempts : run.throwsInRow;
        if (failures <= setting.retries) {
            violate(Rule.UNEXPECTED, "a dead letter after " + failures + " failures", null);
        }
        for (SimulatedHop hop : hops) {
            if (hop.index == step) {
                hop.excuse(payload);
            }
        }
    }

    /** Records that a consumer has acknowledged the entries of a topic up to a position. */
    void acknowledged(SimTopic topic, String consumer, int position) {
        if (world.storage.find(topic.name) != topic) {
            return;
        }
        for (SimulatedHop hop : hops) {
            if (hop.readsAs(topic.name, consumer)) {
                hop.acknowledged(topic, position);
                return;
            }
        }
        if (merge != null) {
            merge.acknowledged(topic, consumer, position);
        }
        if (consumer.equals(dev.baton.Chain.SINK)) {
            for (int i = 0; i < position; i++) {
                SimTopic.Entry entry = topic.log.get(i);
                if (entry.isMessage() && !delivered.contains(entry.payload)) {
                    violate(
                            Rule.ACKNOWLEDGED_EARLY,
                            "the sink acknowledged " + entry.sequence + ", which it never got",
                            null);
                }
            }
        }
    }

    /** Records that a writer or a reader was opened. */
    void opened(String what, int live) {
        if (setting.isExclusive && live > 1) {
            violate(Rule.SECOND_OWNER, live + " live " + what, null);
        }
    }

    /** Records that a frame was appended. */
    void appended(SimTopic topic, SimTopic.Entry entry) {
        if (!entry.counts && setting.isExclusive) {
            violate(Rule.SECOND_OWNER, "topic " + topic.name + " gets a frame of a writer that was replaced", null);
        }
        for (SimulatedHop hop : hops) {
            hop.appended(topic, entry);
        }
    }

    void replaced(SimTopic created) {
        isTampered = true;
        confirmed.removeIf(payload -> partitionOf(payload) == partitionOf(created));
        unconfirmed.removeIf(each -> partitionOf(each.payload) == partitionOf(created));
        tampered(created, 0);
    }

    /** Records that the end of a topic was cut off, by a restored copy or by a crash. */
    void cutOff(SimTopic topic) {
        isTampered = true;
        tampered(topic, topic.log.size());
    }

    void restored(SimTopic topic) {
        cutOff(topic);
        if (topic.name.equals(topic(partitionOf(topic), 0))) {
            Set<Long> kept = new HashSet<>();
            topic.frames().forEach(entry -> kept.add(entry.payload));
            confirmed.removeIf(payload -> partitionOf(payload) == partitionOf(topic) && !kept.contains(payload));
            unconfirmed.removeIf(
                    each -> partitionOf(each.payload) == partitionOf(topic) && !kept.contains(each.payload));
        }
    }

    private void tampered(SimTopic topic, int entries) {
        for (SimulatedHop hop : hops) {
            hop.tampered(topic, entries);
        }
        if (merge != null) {
            merge.tampered(topic);
        }
    }

    /** Returns the snapshot topics of services whose other topics were replaced or truncated. */
    List<String> uselessSnapshots() {
        List<String> names = new ArrayList<>();
        for (SimulatedHop hop : hops) {
            if (hop instanceof StateHop stateful && hop.isTampered()) {
                names.add(stateful.snapshots());
            }
        }
        return names;
    }

    /** Alters the newest snapshot of a service with state. */
    boolean damageSnapshot(int from) {
        for (int i = 0; i < hops.size(); i++) {
            if (hops.get((from + i) % hops.size()) instanceof StateHop hop && hop.damage()) {
                return true;
            }
        }
        return false;
    }

    private int partitionOf(long payload) {
        Partitions partitions = Partitions.of(setting.partitions);
        return setting.asks ? partitions.partitionOf(Run.keyOf(payload)) : partitions.partitionOf(payload);
    }

    private int partitionOf(SimTopic topic) {
        return Math.max(0, PartitionTopic.partition(topic.name));
    }

    /** {@return whether everything has come out, as far as the simulation can wait for it} */
    boolean isComplete() {
        if (world.nextEventAt() != Long.MAX_VALUE) {
            return false; // something is on its way
        }
        for (SimulatedHop hop : hops) {
            if (!hop.isComplete()) {
                return false;
            }
        }
        for (int partition = 0; partition < setting.partitions; partition++) {
            if (undelivered(partition) != null) {
                return false;
            }
        }
        return requests.isComplete() && (merge == null || merge.isComplete());
    }

    private SimTopic.Entry undelivered(int partition) {
        SimTopic last = world.storage.find(topic(partition, setting.steps.size()));
        if (last != null) {
            for (SimTopic.Entry entry : last.log) {
                if (entry.isMessage() && !delivered.contains(entry.payload)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** Makes the last checks, after everything had time to come out. */
    void check() {
        if (hasViolation()) {
            return;
        }
        checkFirstTopics();
        hops.forEach(SimulatedHop::checkLetters);
        hops.forEach(SimulatedHop::check);
        requests.check();
        if (merge != null) {
            merge.check();
        }
        for (int partition = 0; partition < setting.partitions; partition++) {
            SimTopic.Entry entry = undelivered(partition);
            if (entry != null) {
                violate(
                        Rule.LOST,
                        "frame " + entry.sequence + " of topic " + topic(partition, setting.steps.size())
                                + " was never delivered",
                        null);
            }
        }
    }

    private void checkFirstTopics() {
        FirstTopics topics = new FirstTopics();
        for (int partition = 0; partition < setting.partitions; partition++) {
            SimTopic first = world.storage.find(topic(partition, 0));
            if (first != null) {
                topics.check(first);
            }
        }
        topics.check(confirmed);
    }
}
