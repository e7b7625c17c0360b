package dev.baton.lab.study.comparison;

import dev.baton.lab.results.PrivateFile;
import dev.baton.operations.terminal.Terminal;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Units;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The decision of a gate with its reasons, for a person and for a CI server. Stateless, thread-safe. */
public final class GateReport {
    private static final String TWO_SPEEDS = "; a machine with two speeds looks like that, too: ";

    private GateReport() {}

    /**
     * Returns the lines of the report.
     *
     * @param unmatched series of the second side only
     * @param remarks on the trials of both sides
     */
    public static List<String> lines(
            List<Gate.Check> checks, List<String> unmatched, List<String> remarks, Terminal terminal) {
        TextReport report = new TextReport(terminal);
        checks.forEach(check -> report.text(check.outcome().name() + "  " + check.series() + " ", text(check)));
        Gate.Outcome worst = Gate.worst(checks);
        return report.texts("not compared: ", unmatched)
                .texts(remarks)
                .line(worst.tone, "gate: " + worst.name().toLowerCase(Locale.ROOT))
                .lines();
    }

    public static String text(Gate.Check check) {
        Difference difference = check.difference();
        String what = check.subject() + ": ";
        if (check.reason() != null) {
            return what + check.reason();
        }
        if (difference == null) {
            return what + "one side has no such figure";
        }
        String change = what + Units.time(Math.round(difference.before().median())) + " before, "
                + Units.time(Math.round(difference.after().median())) + " after, "
                + String.format(Locale.ROOT, "%+.1f %%", 100 * difference.change());
        if (difference.hasFewSamples()) {
            return change + "; fewer than 100 samples lie above it";
        }
        if (Double.isInfinite(difference.margin())) {
            return change + "; nothing was repeated, so the noise is not known";
        }
        String noise = change + ", noise " + Difference.text(difference.margin(), "") + ", detects growth from "
                + Difference.text(difference.seen(), "+") + setAside(difference);
        if (check.trialsNeeded() > Gate.TRIALS_AT_MOST) {
            return noise + TWO_SPEEDS + "only a baseline with more trials would decide";
        }
        if (check.trialsNeeded() > 0) {
            return noise + TWO_SPEEDS + "--trials " + check.trialsNeeded()
                    + " would decide, or fewer against a baseline of more trials";
        }
        return check.lacksPower() ? noise + "; growth beyond the allowance may be hidden: measure more trials" : noise;
    }

    private static String setAside(Difference difference) {
        List<String> aside = new ArrayList<>();
        if (difference.asideBefore() != null) {
            aside.add("one before of " + Units.time(Math.round(difference.asideBefore())));
        }
        if (difference.asideAfter() != null) {
            aside.add("one after of " + Units.time(Math.round(difference.asideAfter())));
        }
        return aside.isEmpty() ? "" : ", without an outlier: " + String.join(", ", aside);
    }

    /** Writes a file of JUnit's XML, which CI servers show, completely or not at all: an inconclusive check counts as skipped. */
    static void writeJunit(Path file, List<Gate.Check> checks) throws IOException {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", "baton gate");
            xml.writeAttribute("tests", Integer.toString(checks.size()));
            xml.writeAttribute("failures", count(checks, Gate.Outcome.WORSE));
            xml.writeAttribute("skipped", count(checks, Gate.Outcome.INCONCLUSIVE));
            xml.writeAttribute("errors", "0");
            for (Gate.Check check : checks) {
                write(xml, check);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IOException("cannot write XML: " + impossible.getMessage(), impossible);
        }
        PrivateFile.write(file, out + "\n");
    }

    private static String count(List<Gate.Check> checks, Gate.Outcome outcome) {
        return Long.toString(
                checks.stream().filter(check -> check.outcome() == outcome).count());
    }

    private static void write(XMLStreamWriter xml, Gate.Check check) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", check.series());
        xml.writeAttribute("name", check.subject());
        String text = GateReport.text(check);
        switch (check.outcome()) {
            case WORSE -> message(xml, "failure", text);
            case INCONCLUSIVE -> message(xml, "skipped", text);
            case PASS -> {
                xml.writeStartElement("system-out");
                xml.writeCharacters(text);
                xml.writeEndElement();
            }
        }
        xml.writeEndElement();
    }

    private static void message(XMLStreamWriter xml, String element, String text) throws XMLStreamException {
        xml.writeStartElement(element);
        xml.writeAttribute("message", text);
        xml.writeEndElement();
    }
}
