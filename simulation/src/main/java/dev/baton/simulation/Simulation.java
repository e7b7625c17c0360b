package dev.baton.simulation;

import java.nio.file.Path;

public final class Simulation {
    public static void main(String[] a) throws Exception {
        Path root = Path.of(a[0]);
        int seeds = Integer.parseInt(a[1]);
        for (Flaw flaw : Flaws.ALL) {
            if (a.length > 2 && !flaw.name().matches(a[2])) continue;
            long began = System.nanoTime();
            String found;
            try { found = FlawedClasses.hunt(flaw, root, 1, seeds); } catch (Exception e) { found = "ERROR " + e.getMessage() + " " + e.getCause(); }
            System.out.printf("%-32s %4.1fs %s%n", flaw.name(), (System.nanoTime() - began) / 1e9, found == null ? "NOT FOUND" : found.substring(0, Math.min(150, found.length())));
        }
    }
}
