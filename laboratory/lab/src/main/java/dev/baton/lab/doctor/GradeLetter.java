package dev.baton.lab.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The quality of a machine for latency work, from the best to the worst. */
public enum GradeLetter {
    @JsonProperty("A")
    A("latencies hardly depend on the machine"),
    @JsonProperty("B")
    B("latencies above p99.99 depend partly on the machine"),
    @JsonProperty("C")
    C("latencies above p99.9 depend on settings of the machine"),
    @JsonProperty("D")
    D("relative only: figures are comparable with others of this machine only"),
    @JsonProperty("E")
    E("the machine stalled programs for milliseconds during the check"),
    @JsonProperty("F")
    F("figures depend more on the machine than on the program");

    private final String meaning;

    GradeLetter(String meaning) {
        this.meaning = meaning;
    }

    /** {@return the reliability of figures from such a machine} */
    public String meaning() {
        return meaning;
    }

    /**
     * The letter of a figure that is the worse the larger it is.
     *
     * @param limits below which it is an A, a B and so on; a figure below none of them gets the letter after the last
     */
    static GradeLetter below(double figure, double... limits) {
        int steps = 0;
        while (steps < limits.length && figure >= limits[steps]) {
            steps++;
        }
        return values()[steps];
    }

    /** The worse of two. */
    GradeLetter or(GradeLetter other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
