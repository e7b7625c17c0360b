package dev.baton.lab.study.comparison;

import dev.baton.lab.results.PrivateFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The outcome of a gate as JUnit's XML, which CI servers show: what is inconclusive counts as skipped. Stateless. */
public final class JunitXml {
    private JunitXml() {}

    /**
     * Writes a file, all or nothing.
     *
     * @param text of one check, for a person
     */
    public static void write(Path file, List<Gate.Check> checks, Function<Gate.Check, String> text) throws IOException {
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
                write(xml, check, text.apply(check));
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

    private static void write(XMLStreamWriter xml, Gate.Check check, String text) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", check.series());
        xml.writeAttribute("name", check.subject());
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
