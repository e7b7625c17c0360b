package dev.baton.lab.command;

import dev.baton.lab.request.Observers;
import dev.baton.lab.request.Observers.Stages;
import dev.baton.operations.line.Checks;
import dev.baton.operations.line.NumberConverter;
import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** What a trial watches itself with: options of every command whose trials are planned beforehand. */
final class ObserverOptions {
    private static final String ON = "on";
    private static final String OFF = "off";

    @Option(
            names = "--tail",
            paramLabel = "P",
            defaultValue = "99.9",
            converter = NumberConverter.class,
            description = "messages above this percentile are joined with what they lived through, 50 to 99.9999"
                    + " (default: 99.9)")
    private BigDecimal tail;

    @Option(
            names = "--observers",
            paramLabel = "on|off",
            defaultValue = ON,
            description = "off: no probe, no log of the JVM's pauses, no time line, to see what they cost; such a trial"
                    + " never passes (default: on)")
    private String observers;

    /**
     * As typed; null: as usual.
     *
     * @param stages whether services time themselves
     */
    Observers observers(Stages stages) {
        Checks.require(
                tail.doubleValue() >= Observers.LEAST_TAIL && tail.doubleValue() <= Observers.MOST_TAIL,
                "--tail " + tail.toPlainString() + " is out of range; 50 to 99.9999");
        Checks.require(
                observers.equals(ON) || observers.equals(OFF),
                "--observers '" + observers + "' is not known; on or off");
        Observers typed = new Observers(observers.equals(ON), tail.doubleValue(), stages);
        return typed.equals(Observers.USUAL) ? null : typed;
    }
}
