package dev.baton.simulation.world;

import dev.baton.simulation.plan.Rule;
import dev.baton.simulation.plan.Setting;
import dev.baton.spi.Cause;
import dev.baton.spi.Extension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One service between two topics of a partition: computes the outputs that its inputs require. Single-threaded. */
class SimulatedHop {
    /**
     * The names that a service uses.
     *
     * @param input topic that it reads
     * @param output topic that it writes
     * @param letters topic of its dead letters
     * @param snapshots topic of its snapshots
     * @param retries topic of messages that it has set aside
     * @param consumer name of its consumer
     */
    record Names(String input, String output, String letters, String snapshots, String retries, String consumer) {}

    final int index; // in its chain; -1: it is of another one
    final String inputName;
    final String outputName;
    final String consumer;
    final GuaranteeAccount account;
    final World world;
    final Setting.Step step;
    private final String lettersName;
    private final String retriesName;
    private final boolean isPerKey; // it sets messages aside
    private final Set<Long> excused = new HashSet<>(); // dead letters
    private final Set<Long> stored = new HashSet<>(); // payloads of outputs
    private final List<SimTopic.Entry> storedLetters = new ArrayList<>();
    private int scannedLetters;
    private SimTopic scanned; // the output topic that they are from
    private int scannedEntries;
    private long lastOfWindows;
    private int checkedEntries; // of the input, as far as they are acknowledged and answered
    private SimTopic checkedInput;
    private boolean isInputTampered;
    private boolean isOutputTampered;

    SimulatedHop(GuaranteeAccount account, World world, Names names, int index, Setting.Step step) {
        this.account = account;
        this.world = world;
        this.index = index;
        this.step = step;
        this.inputName = names.input;
        this.outputName = names.output;
        this.lettersName = names.letters;
        this.retriesName = names.retries;
        this.consumer = names.consumer;
        this.isPerKey = index >= 0 && world.setting.isPerKey && !step.hasMemory();
    }

    static SimulatedHop of(GuaranteeAccount account, World world, Names names, int index, Setting.Step step) {
        return step.keepsState()
                ? new StateHop(account, world, names, index, step)
                : new SimulatedHop(account, world, names, index, step);
    }

    /** {@return whether this service is a consumer of a topic} */
    boolean readsAs(String topic, String name) {
        return (topic.equals(inputName) || topic.equals(retriesName)) && name.equals(consumer);
    }

    /** {@return whether one of its topics was replaced or truncated, so that its outputs need not be those of its inputs} */
    final boolean isTampered() {
        return isInputTampered || isOutputTampered;
    }

    void excuse(long payload) {
        excused.add(payload);
    }

    boolean isExcused(long payload) {
        scanLetters();
        return excused.contains(payload);
    }

    void tampered(SimTopic topic, int entries) {
        if (topic.name.equals(inputName)) {
            isInputTampered = true;
            checkedInput = null;
        } else if (topic.name.equals(outputName)) {
            isOutputTampered = true;
            scanned = null;
        }
    }

    void appended(SimTopic topic, SimTopic.Entry entry) {
        if (step.sendsWindows()
                && topic.name.equals(outputName)
                && Cause.input(entry.cause) != Steps.lastOf(entry.payload)) {
            account.violate(
                    Rule.INVENTED,
                    outputName + " frame " + entry.sequence + " answers inputs up to " + Steps.lastOf(entry.payload)
                            + " and says " + entry.cause,
                    null);
        }
    }

    /** Collects inputs whose dead letters are stored: they need no outputs. */
    private void scanLetters() {
        SimTopic letters = world.storage.find(lettersName);
        int end = letters == null ? 0 : Math.min(letters.stored, letters.log.size());
        for (; scannedLetters < end; scannedLetters++) {
            SimTopic.Entry entry = letters.log.get(scannedLetters);
            if (entry.isMarker() || !entry.counts) {
                continue;
            }
            storedLetters.add(entry);
            long attempts = entry.payload >>> Integer.SIZE; // of a description
            if (entry.view().length() == Long.BYTES) {
                excused.add(entry.payload);
            } else if (attempts != world.setting.retries + 1) {
                account.violate(Rule.UNEXPECTED, "a dead letter after " + attempts + " failures", null);
            }
        }
    }

    /** Checks that all dead letters that were stored are stored at the end. */
    final void checkLetters() {
        scanLetters();
        SimTopic letters = world.storage.find(lettersName);
        for (SimTopic.Entry letter : storedLetters) {
            if (!letters.log.contains(letter)) {
                account.violate(Rule.LOST, "dead letter " + letter.sequence + " in " + lettersName + " is gone", null);
            }
        }
    }

    private void scan() {
        scanLetters();
        SimTopic output = world.storage.find(outputName);
        if (output == null) {
            return;
        }
        if (scanned != output) {
            scanned = output;
            scannedEntries = 0;
            stored.clear();
            lastOfWindows = 0;
        }
        int end = Math.min(output.stored, output.log.size());
        for (; scannedEntries < end; scannedEntries++) {
            SimTopic.Entry entry = output.log.get(scannedEntries);
            if (entry.isMessage()) {
                stored.add(entry.payload);
                if (step.sendsWindows()) {
                    lastOfWindows = Steps.lastOf(entry.payload);
                }
            }
        }
    }

    private boolean isAnswered(SimTopic.Entry input) {
        if (step.sendsWindows()) {
            return input.sequence <= lastOfWindows;
        }
        if (excused.contains(input.payload)) {
            return true;
        }
        for (long output : Steps.outputs(step, input.payload)) {
            if (!stored.contains(output)) {
                return false;
            }
        }
        return true;
    }

    /** Checks the inputs that were acknowledged up to a position of an input topic. */
    void acknowledged(SimTopic input, int position) {
        if (isInputTampered && step.hasMemory()) {
            return;
        }
        if (input.name.equals(retriesName)) {
            checkRetries(input, position);
            return;
        }
        if (checkedInput != input) {
            checkedInput = input;
            checkedEntries = 0;
        }
        scan();
        for (; checkedEntries < Math.min(position, input.log.size()); checkedEntries++) {
            SimTopic.Entry entry = input.log.get(checkedEntries);
            if (entry.isMessage() && !isAnswered(entry) && !isSetAside(entry)) {
                account.violate(
                        Rule.ACKNOWLEDGED_EARLY,
                        "input " + entry.sequence + " of s" + index + " is acknowledged, its outputs are not stored in "
                                + outputName,
                        null);
                return;
            }
        }
    }

    private boolean isSetAside(SimTopic.Entry input) {
        SimTopic retries = isPerKey ? world.storage.find(retriesName) : null;
        return retries != null
                && retries.log.subList(0, Math.min(retries.stored, retries.log.size())).stream()
                        .anyMatch(each -> isMessage(each) && each.payload == input.payload);
    }

    private static boolean isMessage(SimTopic.Entry retry) {
        return !retry.isMarker() && retry.counts && retry.cause > 0;
    }

    /** Checks that messages that are no longer needed in the topic of retries have their outputs. */
    private void checkRetries(SimTopic retries, int position) {
        scan();
        for (SimTopic.Entry entry : retries.log.subList(0, Math.min(position, retries.log.size()))) {
            if (isMessage(entry) && !isAnswered(entry)) {
                account.violate(
                        Rule.ACKNOWLEDGED_EARLY,
                        "frame " + entry.sequence + " of " + retriesName
                                + " is acknowledged, its outputs are not stored in " + outputName,
                        null);
                return;
            }
        }
    }

    boolean isComplete() {
        return unanswered() == null;
    }

    /** {@return the first input that still needs outputs; null for none} */
    SimTopic.Entry unanswered() {
        SimTopic input = world.storage.find(inputName);
        if (input == null || step.hasMemory() && isInputTampered) {
            return null;
        }
        scan();
        List<SimTopic.Entry> inputs = input.frames();
        int last = inputs.size() - (step.sendsWindows() ? Steps.WINDOW - 1 : 0);
        for (int i = 0; i < last; i++) {
            if (!isAnswered(inputs.get(i))) {
                return inputs.get(i);
            }
        }
        return null;
    }

    /** {@return the first input that needs outputs after the end; null for none} */
    SimTopic.Entry lost() {
        return unanswered();
    }

    /** Checks all outputs after everything had time to come out. */
    void check() {
        SimTopic.Entry unanswered = lost();
        if (unanswered != null) {
            account.violate(
                    account.isTampered ? Rule.REPLACED_SILENTLY : Rule.LOST,
                    "input " + unanswered.sequence + " of s" + index + " has no output in " + outputName
                            + ", and no dead letter",
                    null);
            return;
        }
        SimTopic input = world.storage.find(inputName);
        SimTopic output = world.storage.find(outputName);
        if (input == null || output == null || isTampered()) {
            return;
        }
        if (step.sendsWindows()) {
            checkWindows(output.frames());
        } else if (isPerKey) {
            checkOutputsOfKeys(input.frames(), output.frames());
        } else {
            checkOutputs(input.frames(), output.frames());
        }
    }

    /** Checks that the outputs of each key are in the order of its inputs, and none is repeated. */
    private void checkOutputsOfKeys(List<SimTopic.Entry> inputs, List<SimTopic.Entry> outputs) {
        Map<String, List<SimTopic.Entry>> inputsOf = new TreeMap<>();
        inputs.forEach(each ->
                inputsOf.computeIfAbsent(key(each), key -> new ArrayList<>()).add(each));
        Map<String, List<SimTopic.Entry>> outputsOf = new TreeMap<>();
        outputs.forEach(each ->
                outputsOf.computeIfAbsent(key(each), key -> new ArrayList<>()).add(each));
        outputsOf.forEach((key, of) -> checkOutputs(inputsOf.getOrDefault(key, List.of()), of));
    }

    private static String key(SimTopic.Entry entry) {
        byte[] key = Extension.copy(entry.view(), Extension.KEY);
        return key == null ? "" : Arrays.toString(key);
    }

    private void checkWindows(List<SimTopic.Entry> outputs) {
        long due = 1;
        for (SimTopic.Entry output : outputs) {
            long first = Steps.firstOf(output.payload);
            if (first != due) {
                account.violate(
                        first < due ? Rule.REPEATED : Rule.LOST,
                        outputName + " frame " + output.sequence + " is of inputs " + first + " to "
                                + Steps.lastOf(output.payload) + ", due was one from " + due,
                        null);
                return;
            }
            due = Steps.lastOf(output.payload) + 1;
        }
    }

    /** Checks that outputs follow from the inputs in order; of several for one input the first ones may be repeated. */
    void checkOutputs(List<SimTopic.Entry> inputs, List<SimTopic.Entry> outputs) {
        List<long[]> groups = new ArrayList<>();
        for (SimTopic.Entry input : inputs) {
            groups.add(Steps.outputs(step, input.payload));
        }
        int group = 0;
        int member = 0;
        for (SimTopic.Entry output : outputs) {
            while (group < groups.size()
                    && (member == groups.get(group).length || isCutShort(inputs, groups, group, member, output))) {
                if (isRepeat(inputs, groups, group, output)) {
                    break;
                }
                group++;
                member = 0;
            }
            boolean isDue = group < groups.size()
                    && member < groups.get(group).length
                    && groups.get(group)[member] == output.payload;
            if (isDue) {
                member++;
            } else if (group < groups.size() && isRepeat(inputs, groups, group, output)) {
                member = 1;
            } else {
                wrong(groups, group, output);
                return;
            }
        }
    }

    /**
     * {@return whether an input's outputs end here because it became a dead letter: it then has none, or the first ones of an earlier run,
     * of which a crash may keep a part of a batch}
     */
    private boolean isCutShort(
            List<SimTopic.Entry> inputs, List<long[]> groups, int group, int member, SimTopic.Entry output) {
        return (member == 0 || !world.setting.isAtomic)
                && excused.contains(inputs.get(group).payload)
                && groups.get(group)[member] != output.payload;
    }

    private boolean isRepeat(List<SimTopic.Entry> inputs, List<long[]> groups, int group, SimTopic.Entry output) {
        long[] members = groups.get(group);
        return members.length > 1
                && !world.setting.isAtomic
                && members[0] == output.payload
                && Cause.input(output.cause) == inputs.get(group).sequence;
    }

    private void wrong(List<long[]> groups, int group, SimTopic.Entry output) {
        boolean isEarlier = false;
        for (int i = 0; i <= Math.min(group, groups.size() - 1); i++) {
            for (long payload : groups.get(i)) {
                isEarlier |= payload == output.payload;
            }
        }
        account.violate(
                isEarlier ? Rule.REPEATED : Rule.ORDER,
                outputName + " frame " + output.sequence + " (" + output.payload + ", cause " + output.cause
                        + ") is not what s" + index + " owes after input " + group,
                null);
    }
}
