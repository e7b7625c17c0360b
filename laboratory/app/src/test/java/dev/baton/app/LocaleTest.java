package dev.baton.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.Formatter;

/** Numbers, times and cases of letters never depend on the user's locale: texts are read by programs, and compared. */
@AnalyzeClasses(packages = "dev.baton", importOptions = DoNotIncludeTests.class)
class LocaleTest {
    @ArchTest
    static final ArchRule textsAreFormattedWithALocale = noClasses()
            .should()
            .callMethod(String.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(String.class, "formatted", Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "printf", String.class, Object[].class)
            .orShould()
            .callMethod(PrintStream.class, "format", String.class, Object[].class)
            .orShould()
            .callMethod(PrintWriter.class, "printf", String.class, Object[].class)
            .orShould()
            .callMethod(PrintWriter.class, "format", String.class, Object[].class)
            .orShould()
            .callConstructor(Formatter.class)
            .orShould()
            .callConstructor(Formatter.class, Appendable.class)
            .orShould()
            .callConstructor(DecimalFormat.class, String.class)
            .orShould()
            .callConstructor(SimpleDateFormat.class, String.class);

    @ArchTest
    static final ArchRule timesAreFormattedWithALocale =
            noClasses().should().callMethod(DateTimeFormatter.class, "ofPattern", String.class);

    @ArchTest
    static final ArchRule lettersChangeTheirCaseWithALocale = noClasses()
            .should()
            .callMethod(String.class, "toLowerCase")
            .orShould()
            .callMethod(String.class, "toUpperCase");
}
