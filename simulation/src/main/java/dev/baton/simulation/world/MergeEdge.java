package dev.baton.simulation.world;

import dev.baton.Merge;
import dev.baton.Message;
import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.spi.Extension;
import dev.baton.spi.Frame;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A merge in the account: every frame of each input topic is in the merged topic exactly once, in the order of its topic. Single-threaded.
 */
final class MergeEdge {
    /** One of the input topics. */
    private static final class Input {
        final String name;
        final List<SimTopic.Entry> merged = new ArrayList<>(); // from it, as they are in the merged topic
        final Set<Long> payloads = new HashSet<>(); // of those
        SimTopic checked; // whose entries are acknowledged and merged, up to
        int checkedEntries;
        boolean isTampered;

        Input(String name) {
            this.name = name;
        }
    }

    private final GuaranteeAccount account;
    private final World world;
    private final Merge merge;
    private final List<Input> inputs = new ArrayList<>();
    private final SimulatedHop branch;
    private SimTopic scanned;
    private int restored; // of the topic scanned
    private int scannedEntries;
    private boolean isOutputTampered;
    private long deliveredUpTo; // to the audit

    MergeEdge(GuaranteeAccount account, World world) {
        this.account = account;
        this.world = world;
        this.merge = of(world.setting);
        SimulatedHop.Names names = new SimulatedHop.Names("c-0", Beside.BRANCHED, "", "", "", Beside.BRANCH);
        this.branch = new SimulatedHop(account, world, names, -1, Beside.STEP);
        merge.inputs().forEach(name -> inputs.add(new Input(name)));
    }

    /** The merge of a chain's last topic, of the branch, and perhaps of the first topic. */
    static Merge of(Setting setting) {
        String last = "c-" + setting.steps.size();
        Merge.Builder builder = Merge.named("m").from(last).from(Beside.BRANCHED);
        return (setting.mergesFirst && !last.equals("c-0") ? builder.from("c-0") : builder).build();
    }

    /** {@return the branch that writes one of the input topics} */
    SimulatedHop branch() {
        return branch;
    }

    void tampered(SimTopic topic) {
        isOutputTampered |= topic.name.equals(merge.topic());
        for (Input input : inputs) {
            if (topic.name.equals(input.name)) {
                input.isTampered = true;
                input.checked = null;
            }
        }
    }

    private void scan() {
        SimTopic topic = world.storage.find(merge.topic());
        if (topic != scanned || topic != null && topic.restored != restored) {
            scanned = topic;
            restored = topic == null ? 0 : topic.restored;
            scannedEntries = 0;
            for (Input input : inputs) {
                input.merged.clear();
                input.payloads.clear();
            }
        }
        int end = topic == null ? 0 : Math.min(topic.stored, topic.log.size());
        for (; scannedEntries < end; scannedEntries++) {
            SimTopic.Entry entry = topic.log.get(scannedEntries);
            if (!entry.isMarker() && entry.counts) {
                add(entry);
            }
        }
    }

    private void add(SimTopic.Entry entry) {
        Frame frame = entry.view();
        int field = frame.field(Extension.MERGED);
        int index = field == Extension.NONE ? -1 : frame.memory().get(frame.fieldOffset(field, 1));
        if (index < 0 || index >= inputs.size()) {
            account.violate(Rule.INVENTED, merge.topic() + " frame " + entry.sequence + " says no input", null);
            return;
        }
        inputs.get(index).merged.add(entry);
        inputs.get(index).payloads.add(entry.payload);
    }

    /** Checks the entries of an input topic that were acknowledged up to a position. */
    void acknowledged(SimTopic topic, String consumer, int position) {
        for (Input input : inputs) {
            if (topic.name.equals(input.name) && consumer.equals(merge.consumer())) {
                acknowledged(input, topic, position);
            }
        }
        if (topic.name.equals(merge.topic()) && consumer.equals(Beside.AUDITOR) && !account.isTampered) {
            for (int i = Math.min(position, topic.log.size()) - 1; i >= 0; i--) {
                SimTopic.Entry entry = topic.log.get(i);
                if (!entry.isMarker() && entry.counts) {
                    if (entry.sequence > deliveredUpTo) {
                        account.violate(
                                Rule.ACKNOWLEDGED_EARLY,
                                "the audit acknowledged " + entry.sequence + ", which it never got",
                                null);
                    }
                    return;
                }
            }
        }
    }

    private void acknowledged(Input input, SimTopic topic, int position) {
        if (input.checked != topic) {
            input.checked = topic;
            input.checkedEntries = 0;
        }
        scan();
        for (; input.checkedEntries < Math.min(position, topic.log.size()); input.checkedEntries++) {
            SimTopic.Entry entry = topic.log.get(input.checkedEntries);
            if (entry.isMessage() && !input.payloads.contains(entry.payload)) {
                account.violate(
                        Rule.ACKNOWLEDGED_EARLY,
                        "the merge acknowledged " + entry.sequence + " of " + topic.name + ", which is not in "
                                + merge.topic(),
                        null);
                return;
            }
        }
    }

    /** Records that the chain that reads the merged topic receives a message. */
    void delivered(Run run, Message message) {
        account.called(run);
        long sequence = message.sequence();
        world.trace.fact(sequence);
        boolean isInOrder = run.lastDelivered == 0 ? sequence <= deliveredUpTo + 1 : sequence == run.lastDelivered + 1;
        if (!account.isTampered) {
            if (!isInOrder) {
                account.violate(
                        Rule.ORDER,
                        "the audit of " + run.process + " got " + sequence + " after " + run.lastDelivered
                                + ", all audits so far " + deliveredUpTo,
                        null);
            }
            checkSource(message);
        }
        run.lastDelivered = sequence;
        deliveredUpTo = Math.max(deliveredUpTo, sequence);
    }

    private void checkSource(Message message) {
        String name = merge.inputOf(message);
        for (SimTopic.Entry entry : world.storage.topic(name).log) {
            if (entry.isMessage() && entry.sequence == message.cause()) {
                if (entry.payload != message.getLong(0)) {
                    account.violate(
                            Rule.INVENTED, message + " is not message " + message.cause() + " of " + name, null);
                }
                return;
            }
        }
        account.violate(Rule.INVENTED, name + " has no message " + message.cause() + ", as " + message + " says", null);
    }

    boolean isComplete() {
        return inputs.stream().allMatch(input -> missing(input) == null) && isDelivered();
    }

    /** {@return whether an entry is missing or was appended later} */
    private boolean isLater(SimTopic.Entry entry, String topic, Map<String, Integer> held) {
        return entry == null || world.storage.topic(topic).log.indexOf(entry) >= held.getOrDefault(topic, 0);
    }

    private SimTopic.Entry firstUndelivered() {
        return scanned.frames().stream()
                .filter(entry -> entry.sequence > deliveredUpTo)
                .findFirst()
                .orElse(null);
    }

    private boolean isDelivered() {
        scan();
        SimTopic.Entry newest = scanned == null ? null : scanned.newest();
        return newest == null || account.isTampered || newest.sequence <= deliveredUpTo;
    }

    /** Returns a frame that is not merged; null for none. */
    private SimTopic.Entry missing(Input input) {
        scan();
        SimTopic topic = world.storage.find(input.name);
        if (topic != null) {
            for (SimTopic.Entry entry : topic.frames()) {
                if (!input.payloads.contains(entry.payload)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /**
     * Checks a part that was closed and reports that it has handled everything. Frames of a killed process may be appended meanwhile; a
     * close does not wait for them.
     *
     * @param held sizes of the topics when the close began
     */
    void checkClosed(Beside.Piece piece, Map<String, Integer> held) {
        boolean isComplete = switch (piece) {
            case BRANCH -> isLater(branch.unanswered(), branch.inputName, held);
            case MERGE -> inputs.stream().allMatch(input -> isLater(missing(input), input.name, held));
            case AUDIT -> isDelivered() || isLater(firstUndelivered(), merge.topic(), held);
        };
        if (!isComplete && !account.isTampered) {
            account.violate(Rule.LOST, "the close of the " + piece + " was complete, and its topics hold more", null);
        }
    }

    /** Makes the last checks, after everything had time to come out. */
    void check() {
        for (Input input : inputs) {
            SimTopic.Entry missing = missing(input);
            if (missing != null) {
                account.violate(
                        account.isTampered ? Rule.REPLACED_SILENTLY : Rule.LOST,
                        "frame " + missing.sequence + " of " + input.name + " is not in " + merge.topic(),
                        null);
                return;
            }
            if (!input.isTampered && !isOutputTampered) {
                checkOrder(input);
            }
        }
        if (!isDelivered()) {
            account.violate(Rule.LOST, "the audit got " + deliveredUpTo + " messages", null);
        }
    }

    private void checkOrder(Input input) {
        SimTopic topic = world.storage.find(input.name);
        List<SimTopic.Entry> frames = topic == null ? List.of() : topic.frames();
        for (int i = 0; i < Math.max(frames.size(), input.merged.size()); i++) {
            long due = i < frames.size() ? frames.get(i).sequence : Long.MAX_VALUE;
            long found = i < input.merged.size() ? input.merged.get(i).cause : Long.MAX_VALUE;
            if (found != due || input.merged.get(i).payload != frames.get(i).payload) {
                account.violate(
                        found < due ? Rule.REPEATED : found > due ? Rule.LOST : Rule.INVENTED,
                        "of " + input.name + " " + merge.topic() + " has "
                                + (found == Long.MAX_VALUE ? "nothing" : "message " + found) + " where "
                                + (due == Long.MAX_VALUE ? "nothing" : due) + " was due",
                        null);
                return;
            }
        }
    }
}
