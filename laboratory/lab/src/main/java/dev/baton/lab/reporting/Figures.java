package dev.baton.lab.reporting;

import dev.baton.lab.request.Study;
import dev.baton.lab.study.jitter.JitterStudy;
import dev.baton.lab.study.load.LoadStudy;
import dev.baton.lab.study.transit.TransitFigures;
import dev.baton.lab.study.transit.TransitStudy;
import dev.baton.lab.study.window.WindowReport;
import dev.baton.lab.study.window.WindowStudy;
import java.util.List;

/** What trials of each kind are compared by, most important first. Stateless, thread-safe. */
public final class Figures {
    private Figures() {}

    /** Of trials with this study; null: of chains. */
    public static List<Figure> of(Study study) {
        if (study instanceof JitterStudy) {
            return ofJitter();
        }
        if (study instanceof TransitStudy) {
            return ofTransit();
        }
        if (study instanceof WindowStudy) {
            return ofWindows();
        }
        return study instanceof LoadStudy ? ofLoad() : ofChains();
    }

    /** Of {@code baton chain}. */
    public static List<Figure> ofChains() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.worst(),
                Figure.cpu(),
                Figure.resident());
    }

    /** Of {@code baton jitter}. */
    public static List<Figure> ofJitter() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                Figure.cpu());
    }

    /** Of {@code baton transit}. */
    public static List<Figure> ofTransit() {
        return List.of(
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                TransitFigures.timesFloor(50),
                TransitFigures.allocated());
    }

    /** Of {@code baton window}. */
    public static List<Figure> ofWindows() {
        return List.of(
                WindowReport.items(),
                Figure.response(50),
                Figure.response(99),
                Figure.response(99.9),
                Figure.response(99.99),
                Figure.worst(),
                Figure.cpu(),
                Figure.resident());
    }

    /** Of {@code baton load}. */
    public static List<Figure> ofLoad() {
        return List.of(
                Figure.rate(),
                Figure.response(50),
                Figure.response(99),
                Figure.worst(),
                Figure.cpu(),
                Figure.peakResident());
    }
}
