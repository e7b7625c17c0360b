package dev.baton.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The site that {@code docs/build} made, opened from its files in a real browser. */
@Tag("browser")
@Timeout(300)
class SiteBrowserTest {
    private static final Path SITE =
            Path.of("../../target/site").toAbsolutePath().normalize();
    private static final Path API = SITE.resolve("api"); // pages of Javadoc, which are not opened

    private static final String DRIVER = "webdriver.chrome.driver";

    private static ChromeDriver driver;

    @BeforeAll
    static void open() {
        require(Files.exists(SITE.resolve("index.html")), "the site is not built; run docs/build");
        Path chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Path chromedriver = onPath("chromedriver");
        require(chromium != null && chromedriver != null, "no chromium with chromedriver on the PATH");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-background-networking",
                "--window-size=1400,1600");
        options.setPageLoadStrategy(PageLoadStrategy.EAGER); // links are there before the search has read its index
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        String before = System.setProperty(DRIVER, chromedriver.toString()); // so that nothing looks for another one
        try {
            driver = new ChromeDriver(options);
        } finally {
            if (before == null) {
                System.clearProperty(DRIVER);
            } else {
                System.setProperty(DRIVER, before);
            }
        }
    }

    @AfterAll
    static void close() {
        if (driver != null) {
            driver.quit();
        }
    }

    /** Reads all pages with the browser's parser, in one page of its own: to render each costs a second, and shows nothing else. */
    @Test
    void internalLinksLeadToPagesAndAnchors() throws IOException {
        driver.get(SITE.resolve("index.html").toUri().toString());
        Deque<Path> toVisit = new ArrayDeque<>(List.of(SITE.resolve("index.html")));
        Map<Path, Set<String>> places = new HashMap<>();
        Set<URI> links = new LinkedHashSet<>();
        while (!toVisit.isEmpty()) {
            Path page = toVisit.pop();
            if (places.containsKey(page)) {
                continue;
            }
            parse(page);
            places.put(page, new TreeSet<>(strings("[...parsed.querySelectorAll('[id]')].map(each => each.id)")));
            assertThat(strings("[...parsed.querySelectorAll('[src], link')].map(each => each.src || each.href)"))
                    .as("what %s loads", page)
                    .allSatisfy(loaded -> assertThat(fileOf(URI.create(loaded)))
                            .startsWith(SITE)
                            .isRegularFile());
            for (String link : strings("[...parsed.querySelectorAll('a[href]')].map(each => each.href)")) {
                if (link.startsWith("file:")) {
                    Path target = fileOf(URI.create(link));
                    assertThat(target)
                            .as("%s links to %s", page, link)
                            .startsWith(SITE)
                            .isRegularFile();
                    links.add(URI.create(link));
                    if (target.toString().endsWith(".html") && !target.startsWith(API)) {
                        toVisit.push(target);
                    }
                }
            }
        }
        assertThat(links).allSatisfy(link -> {
            if (link.getFragment() != null && !link.getFragment().isEmpty()) {
                assertThat(places.get(fileOf(link))).as("%s", link).contains(link.getFragment());
            }
        });
        assertThat(places.keySet()).containsAll(pages());
    }

    @Test
    void picturesAreShownAndNothingForeignIsLoaded() throws IOException {
        driver.get(SITE.resolve("index.html").toUri().toString());
        List<Path> withPictures = new ArrayList<>();
        for (Path page : pages()) {
            parse(page);
            if (!strings("[...parsed.images].map(each => each.src)").isEmpty()) {
                withPictures.add(page);
            }
        }
        assertThat(withPictures).isNotEmpty();
        for (Path page : withPictures) {
            driver.get(page.toUri().toString());
            awaitImages();
            assertThat(strings("[...document.images].filter(each => each.naturalWidth === 0).map(each => each.src)"))
                    .as("images of %s", page)
                    .isEmpty();
        }
        assertNothingCameFromElsewhere();
    }

    /** Makes a page {@code parsed} in the page that is open, without running or rendering it. */
    private static void parse(Path page) throws IOException {
        driver.executeScript("""
                window.parsed = new DOMParser().parseFromString(arguments[0], 'text/html');
                const base = parsed.createElement('base');
                base.href = arguments[1];
                parsed.head.prepend(base);
                """, Files.readString(page), page.toUri().toString());
    }

    private static void awaitImages() {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(20))
                .until(() -> strings("[...document.images].filter(each => !each.complete)")
                        .isEmpty());
    }

    @Test
    void searchFindsWordAndOpensItsPage() {
        driver.get(SITE.resolve("index.html").toUri().toString());
        WebElement input = driver.findElement(By.cssSelector(".md-search__input"));
        input.click();
        input.sendKeys("effectively");
        String results = ".md-search-result__link";
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() ->
                        strings("[...document.querySelectorAll('" + results + "')].map(each => each.href)").stream()
                                .anyMatch(link -> link.contains("/glossary.html")));
        driver.findElements(By.cssSelector(results)).stream()
                .filter(link -> link.getDomProperty("href").contains("/glossary.html"))
                .findFirst()
                .orElseThrow()
                .click();
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> driver.getCurrentUrl().contains("/glossary.html"));
        assertThat(driver.findElement(By.tagName("article")).getText()).contains("effectively once");
        assertNothingCameFromElsewhere();
    }

    @ParameterizedTest
    @CsvSource({"light, default", "dark, slate"})
    void itFollowsTheSystemInLightAndDark(String system, String scheme) throws IOException {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", system))));
        for (String page : List.of("index", "guarantees", "results")) {
            driver.get(SITE.resolve(page + ".html").toUri().toString());
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> strings("[document.body.dataset.mdColorScheme, document.readyState]")
                            .equals(List.of(scheme, "complete")));
            Path pictures = Files.createDirectories(Path.of("target", "pictures"));
            Files.write(
                    pictures.resolve("site-" + page + "-" + system + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        }
    }

    private static void assertNothingCameFromElsewhere() {
        assertThat(driver.manage().logs().get(LogType.PERFORMANCE).getAll())
                .extracting(LogEntry::getMessage)
                .filteredOn(message -> message.contains("\"Network.requestWillBeSent\""))
                .isNotEmpty()
                .noneMatch(message -> message.matches("(?s).*\"request\":\\{[^}]*\"url\":\"(https?|wss?):.*"));
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .filteredOn(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .isEmpty();
    }

    /** All pages of the site but the one for servers that do not find another. */
    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(SITE)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .filter(file -> !file.startsWith(API) && !file.endsWith("404.html"))
                    .toList();
        }
    }

    private static Path fileOf(URI link) {
        return Path.of(link.getPath());
    }

    private static List<String> strings(String expression) {
        return ((List<?>) driver.executeScript("return " + expression))
                .stream().map(String::valueOf).toList();
    }

    private static Path onPath(String... names) {
        for (String name : names) {
            for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
                if (Files.isExecutable(Path.of(folder, name))) {
                    return Path.of(folder, name);
                }
            }
        }
        return null;
    }

    /** Skips the test for what is missing, and fails it where nothing may be missing. */
    private static void require(boolean isThere, String orElse) {
        if ("required".equals(System.getenv("BATON_BROWSER"))) {
            assertThat(isThere).as("BATON_BROWSER=required, but " + orElse).isTrue();
        }
        assumeTrue(isThere, orElse);
    }
}
