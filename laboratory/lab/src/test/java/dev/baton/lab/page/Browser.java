package dev.baton.lab.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium from the path, ended with its driver in every case. Confined to one thread. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String DRIVER = "webdriver.chrome.driver";

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Skips the test where there is no browser, and fails it when there has to be one. */
    static Browser open() {
        Path chromium = onPath("chromium", "chromium-browser", "google-chrome");
        Path chromedriver = onPath("chromedriver");
        boolean isThere = chromium != null && chromedriver != null;
        if (!isThere && "required".equals(System.getenv("BATON_BROWSER"))) {
            throw new AssertionError("BATON_BROWSER=required, but there is no chromium with chromedriver on the PATH");
        }
        assumeTrue(isThere, "no chromium with chromedriver on the PATH: pages are not looked at");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--disable-background-networking",
                "--force-device-scale-factor=1",
                "--window-size=1200,900");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        String before = System.setProperty(DRIVER, chromedriver.toString()); // so that nothing looks for another one
        try {
            return new Browser(new ChromeDriver(options));
        } finally {
            restore(before);
        }
    }

    private static void restore(String before) {
        if (before == null) {
            System.clearProperty(DRIVER);
        } else {
            System.setProperty(DRIVER, before);
        }
    }

    private static Path onPath(String... names) {
        for (String name : names) {
            for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
                Path file = Path.of(folder, name);
                if (Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** Loads a page and waits until it is drawn. */
    void load(Path page) {
        driver.get(page.toUri().toString());
        await("document.documentElement.dataset.ready === 'true'");
    }

    /** Waits for a condition in the page. */
    void await(String condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Boolean.TRUE.equals(run("return Boolean(" + condition + ")")));
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    double number(String expression) {
        return ((Number) run("return " + expression)).doubleValue();
    }

    String text() {
        return String.valueOf(run("return document.body.innerText"));
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    ChromeDriver driver() {
        return driver;
    }

    /** As a device of that width has it; also narrower than a window can be made. */
    void width(int pixels, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", pixels, "height", height, "deviceScaleFactor", 1, "mobile", pixels < 600));
    }

    /** As the system of the reader prefers. */
    void scheme(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** As a page of A4 is drawn. */
    void paper() {
        width(720, 1_000);
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "print"));
        run("dispatchEvent(new Event('beforeprint'))");
    }

    /** What the console complained about. */
    List<String> complaints() {
        return Stream.of(LogType.BROWSER)
                .flatMap(type -> driver.manage().logs().get(type).getAll().stream())
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** Everything that was asked of a file system or a network, the page itself included. */
    List<String> requests() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(LogEntry::getMessage)
                .filter(message -> message.contains("\"Network.requestWillBeSent\""))
                .toList();
    }

    /** Keeps a picture of the whole page among the build's output. */
    Path picture(String name) throws IOException {
        long height = Math.min(9_000, (long) number("document.documentElement.scrollHeight"));
        Dimension before = driver.manage().window().getSize();
        width((int) number("innerWidth"), (int) height);
        byte[] png = driver.getScreenshotAs(OutputType.BYTES);
        driver.manage().window().setSize(before);
        Path folder = Files.createDirectories(Path.of("target", "pictures"));
        return Files.write(folder.resolve(name + ".png"), png);
    }

    /** Forgets all that a test has done, as it takes more than a second to start another one. */
    void reset() {
        run("try { localStorage.clear(); } catch (pageWithoutStorage) { }");
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of()));
        driver.get("about:blank");
        complaints(); // once read, they are gone
        requests();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
