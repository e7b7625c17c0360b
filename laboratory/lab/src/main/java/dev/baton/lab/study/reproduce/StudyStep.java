package dev.baton.lab.study.reproduce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One command line of a study. Immutable, thread-safe.
 *
 * @param label of its rows, and of its folder
 * @param arguments of {@code baton}, the command first
 * @param quick further arguments of an exploratory run, instead of {@code full}
 * @param full further arguments of a whole run
 * @param quickTime its duration, at most or about; for one JVM where {@code isPerJvm}
 * @param fullTime the duration of a whole run
 * @param isPerJvm whether it is run in every installed JVM
 * @param isStockBroker whether a broker has the threads of Kafka's own defaults
 * @param part its part in the ratio that the study ends with
 */
record StudyStep(
        String label,
        List<String> arguments,
        List<String> quick,
        List<String> full,
        Duration quickTime,
        Duration fullTime,
        boolean isPerJvm,
        boolean isStockBroker,
        Part part) {

    /** The parts of the ratio of the density study. */
    enum Part {
        /** None. */
        NONE,
        /** The loops of the article, judged from the slot. */
        ARTICLE,
        /** Loops that rest as long as the limit allows. */
        ALLOWED,
        /** Baton without a latency budget. */
        UNPACED,
        /** Baton with its default latency budget. */
        PACED
    }

    /** {@return the arguments, without the directories} */
    List<String> typed(boolean isQuick) {
        List<String> typed = new ArrayList<>(arguments);
        typed.addAll(isQuick ? quick : full);
        return typed;
    }

    Duration time(boolean isQuick, int jvms) {
        return (isQuick ? quickTime : fullTime).multipliedBy(isPerJvm ? jvms : 1);
    }

    /** Its folder below the study's, beginning with its number. */
    String folder(int number) {
        return number + "-" + label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
