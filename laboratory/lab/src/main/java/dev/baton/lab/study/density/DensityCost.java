package dev.baton.lab.study.density;

import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.lab.results.Headline;
import dev.baton.lab.search.CapacitySearch.Finding;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.TextReport;
import dev.baton.operations.terminal.Tone;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The costs of the chains of each contender, as a table and in sentences: chains for each core, the study's normalised cost, and with a
 * price the cost of a thousand chains. Stateless, thread-safe.
 */
final class DensityCost {
    private static final int THOUSAND = 1_000;
    private static final String NOTE =
            "The whole machine is paid for, with the cores that wait and with a broker of the"
                    + " chains' own; normalised is 1 / chains, as published.";

    private DensityCost() {}

    /** An answer with its cost. @param isBound whether the machine may carry more chains */
    private record Priced(ChainCost cost, boolean isBound, boolean isSure) {
        Cell least(String text) {
            return Cell.of((isBound ? ">= " : "") + text, isSure ? Tone.PLAIN : Tone.GREY);
        }

        Cell most(String text) {
            return Cell.of((isBound ? "<= " : "") + text, isSure ? Tone.PLAIN : Tone.GREY);
        }
    }

    /** Returns the cost; null where no number of chains keeps the limit. */
    private static Priced of(Contender contender) {
        Finding finding = contender.finding();
        Integer cores = contender.trials().stream()
                .filter(trial -> trial.result() != null)
                .map(trial -> trial.result().environment().processors())
                .findFirst()
                .orElse(null);
        if (cores == null || finding.holds() == 0) {
            return null;
        }
        boolean isBound = finding.end() == Finding.End.AT_MOST;
        boolean isSure = (isBound || finding.end() == Finding.End.FOUND)
                && contender.provisional().isEmpty();
        return new Priced(new ChainCost(finding.holds(), cores), isBound, isSure);
    }

    private static Map<String, Priced> all(List<Contender> contenders, Function<Contender, String> name) {
        Map<String, Priced> all = new LinkedHashMap<>();
        for (Contender each : contenders) {
            Priced priced = of(each);
            if (priced != null) {
                all.put(name.apply(each), priced);
            }
        }
        return all;
    }

    /**
     * The table, our answers first, then the published ones of the same transports, each group relative to its most expensive one; empty
     * without an answer.
     *
     * @param price null for none
     */
    static List<String> lines(
            List<Contender> contenders, Function<Contender, String> name, CorePrice price, Paint paint, int width) {
        Map<String, Priced> ours = all(contenders, name);
        if (ours.isEmpty()) {
            return List.of();
        }
        List<String> headings = new ArrayList<>(List.of("chains", "cores", "per core", "normalised", "relative cost"));
        if (price != null) {
            headings.add("1,000 chains/h");
            headings.add("chains for " + new CorePrice(1, price.before(), price.after()) + "/h");
        }
        Table table = new Table(headings.toArray(String[]::new));
        rows(table, ours, price, headings.size());
        rows(table, published(contenders), null, headings.size());
        return new TextReport(paint, width)
                .line(Tone.BOLD, "cost" + (price == null ? "" : " at " + price + " for a core and hour"))
                .table(table)
                .text(NOTE)
                .lines();
    }

    /** Returns the published numbers of chains over the same transports. */
    private static Map<String, Priced> published(List<Contender> contenders) {
        Map<String, Priced> published = new LinkedHashMap<>();
        PublishedSeries.capacities(
                        contenders.stream().map(each -> each.name().transport()).toList())
                .forEach((transport, chains) -> published.put(
                        transport + " elsewhere",
                        new Priced(new ChainCost(chains, PublishedSeries.CAPACITY_CORES), false, true)));
        return published;
    }

    /** Returns the points of a chart: our answers first, then the published ones; empty without an answer. */
    static List<Headline.Cost> points(List<Contender> contenders, Function<Contender, String> name, CorePrice price) {
        Map<String, Priced> ours = all(contenders, name);
        List<Headline.Cost> points = new ArrayList<>();
        ours.forEach((called, each) -> points.add(point(called, each, false, price)));
        if (!ours.isEmpty()) {
            published(contenders).forEach((called, each) -> points.add(point(called, each, true, null)));
        }
        return points;
    }

    private static Headline.Cost point(String name, Priced priced, boolean isPublished, CorePrice price) {
        ChainCost cost = priced.cost();
        return new Headline.Cost(
                name,
                cost.chains(),
                cost.cores(),
                priced.isBound(),
                priced.isSure(),
                isPublished,
                price == null ? null : Double.valueOf(cost.perHour(THOUSAND, price.amount())),
                price == null ? null : (price.before() + price.after()));
    }

    /**
     * Adds rows.
     *
     * @param columns number of cells, filled up with dashes
     */
    private static void rows(Table table, Map<String, Priced> all, CorePrice price, int columns) {
        ChainCost dearest = all.values().stream()
                .map(Priced::cost)
                .min(Comparator.comparingDouble(ChainCost::chainsPerCore))
                .orElse(null);
        all.forEach((name, each) -> {
            List<Cell> cells = new ArrayList<>();
            ChainCost cost = each.cost();
            cells.add(each.least(Units.count(cost.chains())));
            cells.add(Cell.of(Units.count(cost.cores())));
            cells.add(each.least(perCore(cost)));
            cells.add(each.most(normalised(cost)));
            cells.add(each.most(Units.percent(cost.relativeTo(dearest))));
            if (price != null) {
                cells.add(each.most(price.text(cost.perHour(THOUSAND, price.amount()))));
                cells.add(each.least(Units.count(Math.round(cost.chainsPerCore() / price.amount()))));
            }
            while (cells.size() < columns) {
                cells.add(Cell.of("-"));
            }
            table.row(name, cells);
        });
    }

    /** Returns a sentence for each answer, stored with the results. */
    static List<String> sentences(List<Contender> contenders, Function<Contender, String> name, CorePrice price) {
        List<String> sentences = new ArrayList<>();
        all(contenders, name).forEach((called, each) -> {
            ChainCost cost = each.cost();
            String text = "Cost, " + called + ": " + each.least(perCore(cost)).text() + " chains per core ("
                    + Units.counted(cost.cores(), "core") + "), normalised (1 / chains) "
                    + each.most(normalised(cost)).text();
            if (price != null) {
                text += "; at " + price + " for a core and hour a thousand chains cost "
                        + each.most(price.text(cost.perHour(THOUSAND, price.amount())))
                                .text() + " an hour";
            }
            sentences.add(text + (each.isSure() ? "." : " (provisional)."));
        });
        return sentences;
    }

    private static String perCore(ChainCost cost) {
        double value = cost.chainsPerCore();
        return value >= 100 ? Units.count(Math.round(value)) : String.format(Locale.ROOT, "%.3g", value);
    }

    private static String normalised(ChainCost cost) {
        return String.format(Locale.ROOT, "%.5f", cost.normalised());
    }
}
