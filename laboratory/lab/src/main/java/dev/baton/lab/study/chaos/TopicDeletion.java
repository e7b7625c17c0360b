package dev.baton.lab.study.chaos;

import dev.baton.lab.launch.TiedJvm;
import java.util.BitSet;
import java.util.List;

/**
 * Stops the chain under load, deletes one topic and starts the chain again. The service that reads the topic has answered
 * messages that are gone: it has to refuse and to name the way on, with which it handles all that the new topic holds.
 * What had not gone further than the topic is gone for good, and nothing else. Confined to one thread.
 */
final class TopicDeletion {
    private static final int USAGE = 2;
    private static final String REASON = "deleted and created again";
    private static final String REMEDY = "--replaced-input handle-all";

    private final Scene scene;
    private final int index;
    private final int services;
    private String remark;

    TopicDeletion(Scene scene, int index, int services) {
        this.scene = scene;
        this.index = index;
        this.services = services;
    }

    /** Does all of it. @return when everything runs again */
    long apply() {
        ChainProcesses processes = scene.processes();
        scene.failures().addAll(processes.endAll());
        scene.arrivals().read();
        BitSet gone = scene.topics().delete(index, scene.arrivals().newest());
        scene.arrivals().expectDeleted(gone);
        remark = gone.cardinality() + " messages deleted with it";
        processes.numberFrom(scene.topics().deletedFirst());
        String refusing = index < services ? FaultSchedule.service(index + 1) : null;
        processes.startAll(scene.isStopRequested(), refusing);
        if (refusing != null) {
            awaitRefusal(refusing);
            processes.start(refusing, List.of("--replaced-input=handle-all"));
            processes.awaitReady(refusing, scene.isStopRequested());
        }
        return System.nanoTime();
    }

    private void awaitRefusal(String service) {
        TiedJvm refused = scene.processes().awaitEnd(service);
        if (refused == null) {
            scene.failures()
                    .add(service + " goes on over " + ChainScenario.topic(index)
                            + ", which was deleted and created again");
            return;
        }
        String words = refused.lastOutput();
        if (refused.exitValue() != USAGE || !words.contains(REASON) || !words.contains(REMEDY)) {
            scene.failures()
                    .add(service + " did not say what is wrong with " + ChainScenario.topic(index)
                            + " and what to do: it " + words);
        }
    }

    String remark() {
        return remark;
    }
}
