package dev.baton.lab.results;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.baton.lab.study.jitter.JitterFindings;
import dev.baton.lab.study.load.LoadFindings;
import dev.baton.lab.study.selftest.SelftestFindings;
import dev.baton.lab.study.soak.SoakFindings;
import dev.baton.lab.study.transit.TransitFindings;
import dev.baton.lab.study.window.WindowFindings;

/**
 * What a trial found beyond what every result tells: one record for each kind of study, by its name in the result's
 * file. Immutable, thread-safe.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(JitterFindings.class),
    @JsonSubTypes.Type(LoadFindings.class),
    @JsonSubTypes.Type(SelftestFindings.class),
    @JsonSubTypes.Type(SoakFindings.class),
    @JsonSubTypes.Type(TransitFindings.class),
    @JsonSubTypes.Type(WindowFindings.class)
})
public interface Findings {}
