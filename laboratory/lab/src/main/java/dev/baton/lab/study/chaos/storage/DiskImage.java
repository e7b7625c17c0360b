package dev.baton.lab.study.chaos.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Copies of the files that a killed process left, and the damage that is done to them. Stateless. */
final class DiskImage {
    private static final int PAGE = 4096;

    /** Directories and files that no storage keeps: the memory of a media driver, the mark of a running Archive, our own. */
    private static final List<String> OMITTED = List.of("driver", "archive-mark.dat", ".inodes");

    private DiskImage() {}

    /** Copies all files; pages of zeros become holes. */
    static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            merge(from.resolve(file), null, to.resolve(file), page -> true);
        }
    }

    /** Flips one bit in the used part of one file, each file being as likely as any other. @return which one */
    static String flip(Path tree, Random random) throws IOException {
        List<Path> files = new ArrayList<>(files(tree));
        while (!files.isEmpty()) {
            Path file = files.remove(random.nextInt(files.size()));
            List<Long> pages = new ArrayList<>();
            try (FileChannel channel =
                    FileChannel.open(tree.resolve(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                for (long at = 0; at < channel.size(); at += PAGE) {
                    if (!isEmpty(page(channel, at))) {
                        pages.add(at);
                    }
                }
                if (!pages.isEmpty()) {
                    long page = pages.get(random.nextInt(pages.size()));
                    long at = page + random.nextInt((int) Math.min(used(page(channel, page)), channel.size() - page));
                    int bit = random.nextInt(Byte.SIZE);
                    ByteBuffer one = ByteBuffer.allocate(1);
                    channel.read(one, at);
                    one.put(0, (byte) (one.get(0) ^ 1 << bit)).flip();
                    channel.write(one, at);
                    return file + ", byte " + at + ", bit " + bit;
                }
            }
        }
        throw new IOException("no file below " + tree + " has content");
    }

    /**
     * Makes the files of a power failure: of each file the synced pages, and of the others those that a drawn number chooses.
     *
     * @param synced what a device has for certain
     * @param share of the other pages that reached the device as well, from 0 to 1
     * @param isInOrder whether these are the first pages of each file, up to a place that is drawn; otherwise any
     */
    static String losePower(Path live, Path synced, Path to, Random random, double share, boolean isInOrder)
            throws IOException {
        TreeSet<Path> all = new TreeSet<>(files(live));
        all.addAll(files(synced));
        int lostFiles = 0;
        int[] lostPages = {0};
        for (Path file : all) {
            Path newer = live.resolve(file);
            Path older = synced.resolve(file);
            boolean isNew = !Files.exists(older);
            if (isNew && !isInOrder && random.nextDouble() >= share) {
                lostFiles++;
            } else if (!Files.exists(newer)) { // deleted, which was not synced
                merge(older, null, to.resolve(file), page -> true);
            } else {
                double end = isInOrder ? Math.ceil(share * used(newer)) : 0;
                merge(newer, isNew ? newer.resolveSibling(".none") : older, to.resolve(file), page -> {
                    boolean isKept = isInOrder ? page < end : random.nextDouble() < share;
                    lostPages[0] += isKept ? 0 : 1;
                    return isKept;
                });
            }
        }
        return lostPages[0] + " pages and " + lostFiles + " files lost";
    }

    /** Returns where the last page of a file begins that is not empty, and one page more. */
    private static long used(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long end = channel.size() + PAGE - 1 & -PAGE;
            while (end > 0 && isEmpty(page(channel, end - PAGE))) {
                end -= PAGE;
            }
            return end;
        }
    }

    private interface Choice {
        boolean isKept(long page);
    }

    /** Writes a file of the pages of one; where the other differs, a choice decides. @param other null: there is none */
    private static void merge(Path one, Path other, Path to, Choice choice) throws IOException {
        Files.createDirectories(to.getParent());
        try (FileChannel from = FileChannel.open(one, StandardOpenOption.READ);
                FileChannel base = other == null || !Files.exists(other) ? null : FileChannel.open(other);
                FileChannel into = FileChannel.open(
                        to, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            long size = from.size();
            for (long at = 0; at < size; at += PAGE) {
                ByteBuffer page = page(from, at);
                if (other != null) {
                    ByteBuffer synced = base == null ? ByteBuffer.allocate(PAGE) : page(base, at);
                    page = page.equals(synced) || choice.isKept(at) ? page : synced;
                }
                if (!isEmpty(page)) {
                    page.limit((int) Math.min(PAGE, size - at));
                    into.write(page, at);
                }
            }
            if (into.size() < size) {
                into.write(ByteBuffer.allocate(1), size - 1);
            }
        }
    }

    /** A whole page; zeros behind the end. */
    private static ByteBuffer page(FileChannel file, long at) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(PAGE);
        file.read(page, at);
        return page.clear();
    }

    private static boolean isEmpty(ByteBuffer page) {
        return used(page) == 0;
    }

    /** The bytes up to the last one that is not zero. */
    private static int used(ByteBuffer page) {
        int used = PAGE;
        while (used > 0 && page.get(used - 1) == 0) {
            used--;
        }
        return used;
    }

    private static List<Path> files(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(tree)) {
            return all.filter(Files::isRegularFile)
                    .map(tree::relativize)
                    .filter(each -> OMITTED.stream().noneMatch(name -> each.startsWith(name) || each.endsWith(name)))
                    .sorted()
                    .toList();
        }
    }
}
