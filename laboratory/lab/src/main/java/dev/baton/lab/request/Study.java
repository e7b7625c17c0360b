package dev.baton.lab.request;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.baton.lab.study.jitter.JitterStudy;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.study.selftest.SelftestStudy;
import dev.baton.lab.study.soak.SoakStudy;
import dev.baton.lab.study.transit.TransitStudy;
import dev.baton.lab.study.window.WindowStudy;

/**
 * What a trial asks beyond its plan's common parts, where that is not how chains respond: one record for each kind of
 * question, by its name in the plan's file. A plan without a study measures chains. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(JitterStudy.class),
    @JsonSubTypes.Type(LoadStudy.class),
    @JsonSubTypes.Type(SelftestStudy.class),
    @JsonSubTypes.Type(SoakStudy.class),
    @JsonSubTypes.Type(TransitStudy.class),
    @JsonSubTypes.Type(WindowStudy.class)
})
public interface Study {
    /** Memory that the JVM of the trial may take in all; null: what its flags let it. */
    default MemoryBudget memory() {
        return null;
    }

    /** The same without what must not reach a file. */
    default Study redacted() {
        return this;
    }

    /** Whether trials of one experiment differ by more than transport and engine, so that people know them by their id. */
    default boolean isKnownById() {
        return false;
    }
}
