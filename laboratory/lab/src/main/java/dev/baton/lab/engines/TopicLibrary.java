package dev.baton.lab.engines;

import dev.baton.measuring.rig.ChainEnds;
import dev.baton.spi.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The reference over Apache Kafka: a producer and a consumer for each service, on its thread. */
final class TopicLibrary implements Library {
    private final ClientConfigs configs;
    private final Pause pause;
    private final Transport administration;
    private final PollWait wait;
    private final List<String> topics = new ArrayList<>();

    /** @param administration makes and removes the topics, with its admin client */
    TopicLibrary(Settings settings, Pause pause, Transport administration, PollWait wait) {
        this.configs = new ClientConfigs(settings);
        this.pause = pause;
        this.administration = administration;
        this.wait = wait;
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("durability", "the brokers' page cache, for records that they confirmed");
        properties.put(
                "acknowledgement",
                configs.acknowledgement() + "; offsets are committed every 5 s, also of messages whose outputs are not"
                        + " confirmed yet: a crash may lose");
        properties.put("batching", "one message for each record; " + configs.batching());
        properties.put(
                "copies",
                "one for each service on the heap, and those of the clients; the bytes of Baton's frame in a record's"
                        + " value");
        properties.put(
                "configuration",
                "a producer and a consumer for each service, partitions assigned, otherwise defaults"
                        + configs.unused());
        return properties;
    }

    @Override
    public String rest() {
        return (wait.isOnlyWait() ? "call " : pause + " between calls of ") + wait;
    }

    @Override
    public void createTopics(List<String> names) {
        topics.addAll(names);
        administration.createTopics(names);
    }

    @Override
    public List<Stage> stages(ChainEnds ends, List<String> names) {
        Pause after = wait.isOnlyWait() ? null : pause;
        List<Stage> stages = new ArrayList<>();
        stages.add(new SourceStage(
                ends.generator(), new TopicInlet(new TopicWriter(configs, names.get(0)), ends.pattern()), pause));
        for (int i = 1; i < names.size(); i++) {
            stages.add(new TopicRelay(
                    new TopicReader(configs, names.get(i - 1), wait), new TopicWriter(configs, names.get(i)), after));
        }
        stages.add(new TopicExit(new TopicReader(configs, names.get(names.size() - 1), wait), ends.receiver(), after));
        return stages;
    }

    /** Deletes the topics; the offsets committed for them go with them. */
    @Override
    public void close() {
        if (!topics.isEmpty()) {
            administration.deleteTopics(topics);
            topics.clear();
        }
    }
}
