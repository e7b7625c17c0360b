package dev.baton.lab.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How good a machine can be for latency work, from the best to the worst. */
public enum GradeLetter {
    @JsonProperty("A")
    A("figures of microseconds taken here are the program's own"),
    @JsonProperty("B")
    B("good; what lies beyond p99.99 is partly the machine's"),
    @JsonProperty("C")
    C("settings of the machine show from p99.9 on"),
    @JsonProperty("D")
    D("shape, not value: figures of this machine compare with each other only"),
    @JsonProperty("E")
    E("it was seen to hold programs up for milliseconds, which are in every figure"),
    @JsonProperty("F")
    F("a figure taken here now says more about the machine than about the program");

    private final String meaning;

    GradeLetter(String meaning) {
        this.meaning = meaning;
    }

    /** What figures taken on such a machine are worth. */
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
