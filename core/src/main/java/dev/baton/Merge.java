package dev.baton;

import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.ChainNames;
import dev.baton.engine.writing.MergedProgress;
import dev.baton.spi.Extension;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.List;

/**
 * A merge of several topics into one, which contains each message once, in the order of its topic. The order between topics
 * is the order in which they were merged. The merged topic records it, so chains and taps that read it can be replayed.
 *
 * <p>No input is starved: under back-pressure, each input that has messages is served before any input is served twice. On
 * durable transports a restart repeats no message and drops none. {@link #on} selects the transport. Immutable,
 * thread-safe.
 */
public final class Merge {
    /** The maximum number of topics of one merge. To merge more, merge merged topics. */
    public static final int MAX_INPUTS = MergedProgress.MAX_INPUTS;

    private final String name;
    private final List<String> inputs;

    private Merge(String name, List<String> inputs) {
        this.name = name;
        this.inputs = List.copyOf(inputs);
    }

    /**
     * Begins a merge.
     *
     * @param name as for {@link Chain#named}; the name of its topic begins with it
     * @return a builder that has no topic yet
     */
    public static Builder named(String name) {
        return new Builder(ChainNames.checked("merge", name));
    }

    /**
     * Begins to set up a run of this merge.
     *
     * @param transport transport with the topics; the caller keeps it and closes it after the merge
     * @return a deployment with the default options
     */
    public Deployment on(Transport transport) {
        return Deployment.of(this, transport);
    }

    /** {@return the merge's name; the name of its topic begins with it} */
    public String name() {
        return name;
    }

    /**
     * {@return the name of the merged topic, {@code name-merged}} Chains ({@link Chain.Builder#from}) and taps can read it.
     */
    public String topic() {
        return name + "-merged";
    }

    /** {@return the names of the topics that are read, in alphabetical order} */
    public List<String> inputs() {
        return inputs;
    }

    /** {@return the name of the consumer that reads the inputs: {@code name.merge}} */
    public String consumer() {
        return name + ".merge";
    }

    /**
     * {@return the topic from which a message of the merged topic comes; {@link Message#cause} is its sequence there}
     *
     * @param merged as received from {@link #topic}, within its callback
     * @throws IllegalArgumentException if the message was not written by a merge with this number of topics
     */
    public String inputOf(Message merged) {
        if (merged instanceof InboundMessage in) {
            int at = in.frame().field(Extension.MERGED);
            int index = at == Extension.NONE ? -1 : MergedProgress.inputOf(in.frame(), at);
            if (index >= 0 && in.frame().fieldLength(at) == MergedProgress.bytes(inputs.size())) {
                return inputs.get(index);
            }
        }
        throw new IllegalArgumentException(
                merged + " was not written by merge " + name + " of " + String.join(", ", inputs));
    }

    /** Collects the topics of a merge. Confined to one thread. */
    public static final class Builder {
        private final String name;
        private final List<String> inputs = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Adds a topic, which has to exist at the start. The order in which topics are added does not matter.
         *
         * @param topic its name, such as {@link Chain#topic} returns it; at most {@value Merge#MAX_INPUTS} topics
         * @return this builder
         */
        public Builder from(String topic) {
            ChainNames.checkedTopic(topic);
            if (inputs.contains(topic)) {
                throw new IllegalArgumentException("topic '" + topic + "' is merged already");
            }
            if (topic.equals(new Merge(name, List.of()).topic())) {
                throw new IllegalArgumentException("topic '" + topic + "' is the merged one itself");
            }
            if (inputs.size() == MAX_INPUTS) {
                throw new IllegalArgumentException("more than " + MAX_INPUTS + " topics; merge some of them first");
            }
            inputs.add(topic);
            return this;
        }

        /**
         * Builds the merge.
         *
         * @return the merge; later changes of this builder do not affect it
         * @throws IllegalStateException for less than two topics
         */
        public Merge build() {
            if (inputs.size() < 2) {
                throw new IllegalStateException("merge " + name + " has " + inputs.size()
                        + " topics; it takes 2 or more. A chain that begins at one topic needs no merge");
            }
            return new Merge(name, inputs.stream().sorted().toList());
        }
    }
}
