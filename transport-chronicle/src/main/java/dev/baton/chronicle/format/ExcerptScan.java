package dev.baton.chronicle.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Walks the excerpts of one queue file by reading it, without Chronicle and without a mapping: nothing is changed, and
 * damage leads to a {@link FileDefect} and nothing worse.
 *
 * <p>A defective document is reported once, with its place; the scan continues at the next excerpt that is certain: one
 * whose length is stored twice, whose frames fill it, and whose first bytes are Baton's. An apparent end is the end
 * only if no such excerpt follows and the file's header refers to none.
 *
 * <p>The file may be written meanwhile. A document's length is written last, so the bytes behind a length are complete;
 * before anything is called damaged it is read again. Confined to one thread.
 */
public final class ExcerptScan implements AutoCloseable {
    private static final int WORD = Integer.BYTES;
    private static final String INDEX = "index";
    private static final String INDEX_OF_INDEXES = "index2index";
    private static final int LONGEST_NAME = 64;
    private static final int SECTOR = 512; // the least that a device writes as a whole
    private static final int FIRST_BUFFER = 64 << 10;

    /** The limit of the bytes that a search loads, per byte of the file. */
    private static final int MOST_SEARCHED = 8;

    private final Path path;
    private final FileBytes file;
    private StoreHeader header; // null until the file is made
    private ByteBuffer excerpt = ByteBuffer.allocate(FIRST_BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer page = ByteBuffer.allocate(0); // an index page, to be checked
    private final CRC32C crc = new CRC32C();
    private long begin; // of the excerpt read last
    private long at; // where the next document begins
    private boolean isSearched; // the bytes behind the end were searched
    private boolean isLost; // nothing behind the damage can be read
    private boolean isShallow; // the content of excerpts is not checked

    /** Opens a queue file, and reads nothing yet. */
    public ExcerptScan(Path path) throws IOException {
        this.path = path;
        file = new FileBytes(path);
    }

    /** Checks only the lengths of excerpts from here on, not their content; returns this scan. */
    ExcerptScan shallow() {
        isShallow = true;
        return this;
    }

    /** {@return the file that is scanned} */
    public Path path() {
        return path;
    }

    /** {@return the excerpt that {@link #next} has read, from the buffer's start} */
    public ByteBuffer excerpt() {
        return excerpt;
    }

    /** {@return where the excerpt begins that {@link #next} has read} */
    public long begin() {
        return begin;
    }

    /** {@return where the next document begins, in bytes from the file's start} */
    public long position() {
        return at;
    }

    /**
     * Reads the next excerpt; returns false when there is none yet.
     *
     * @throws FileDefect for a defective document; the next call continues behind it, unless nothing there can be read
     */
    public boolean next() throws FileDefect {
        if (isLost || header == null && !isMade()) {
            return false;
        }
        while (true) {
            int word = file.word(at);
            if (DocumentHeader.isEnd(word)) {
                if (freshWord() != word) {
                    continue;
                }
                checkEnd(word);
                return false;
            }
            String defect = DocumentHeader.isMeta(word) ? metaDefect(word) : read(word);
            if (defect != null && freshWord() == word) {
                defect = DocumentHeader.isMeta(word) ? metaDefect(word) : read(word);
            }
            long next = DocumentHeader.next(at, DocumentHeader.length(word));
            if (defect != null) {
                continueBehind(defect, next);
            }
            begin = at;
            at = next;
            if (!DocumentHeader.isMeta(word)) {
                return true;
            }
        }
    }

    /**
     * Moves behind the header; returns false while that is not written.
     *
     * @throws FileDefect when the header is damaged; nothing of the file can be read then
     */
    public boolean isMade() throws FileDefect {
        file.forget();
        if (file.size() > 0 && file.size() < WORD) {
            isLost = true;
            throw new FileDefect("was cut to " + file.size() + " bytes");
        }
        if (DocumentHeader.isEnd(file.word(0))) {
            if (search(WORD) >= 0) {
                isLost = true;
                throw new FileDefect("at 0: " + DocumentHeader.text(file.word(0)) + " where the file's header belongs");
            }
            return false;
        }
        try {
            header = StoreHeader.of(file);
        } catch (FileDefect damaged) {
            isLost = true;
            throw new FileDefect("at 0: " + damaged.getMessage());
        }
        at = header.bytes();
        return true;
    }

    /**
     * Moves to the last excerpt that the header refers to; returns false when it refers to none.
     *
     * @throws FileDefect when the header names a place where no excerpt begins
     */
    public boolean goToLast() throws FileDefect {
        if (header == null && !isMade()) {
            return false;
        }
        file.forget();
        long last = header.last(file);
        if (last == 0) {
            return false;
        }
        if (last < header.bytes() || last % WORD != 0 || DocumentHeader.isEnd(file.word(last))) {
            throw new FileDefect("at " + header.lastAt() + ": the file's header has its last excerpt at " + last
                    + ", where none begins");
        }
        at = last;
        return true;
    }

    /** {@return the number of the last excerpt with an index entry, at or before another one, for {@link #goTo}} */
    long indexedBefore(long number) {
        return header == null ? 0 : number / header.indexSpacing() * header.indexSpacing();
    }

    /**
     * Moves to an excerpt with an index entry, by its number within the file; where that one has none, to the last one
     * before it that has. A process that is killed between an excerpt and its entry leaves none, and no other process
     * enters it.
     *
     * @param number from {@link #indexedBefore}
     * @return the number of the excerpt that comes next, 0 for the file's first
     * @throws FileDefect when the index is damaged on the way there
     */
    public long goTo(long number) throws FileDefect {
        if (header == null && !isMade()) {
            return 0;
        }
        for (long entry = number / header.indexSpacing(); entry >= 0; entry--) {
            long page = element(header.indexOfIndexes(), INDEX_OF_INDEXES, entry / header.indexCount());
            long found = element(page, INDEX, entry % header.indexCount());
            if (found != 0) {
                if (!isPlace(found)) {
                    throw new FileDefect("at " + page + ": excerpt " + entry * header.indexSpacing()
                            + " has the index entry " + found + ", where none begins");
                }
                at = found;
                return entry * header.indexSpacing();
            }
        }
        at = header.bytes();
        return 0;
    }

    /**
     * Checks the file's index: its pages, and the places of documents in them, which have to rise. Reads no document that
     * may be freed, which would take as long as the file is long.
     *
     * @param freed number of the oldest excerpt left; excerpts before it may be freed
     * @return the number of the last excerpt with an entry, where {@link #goTo} may start; -1: none has
     * @throws FileDefect when a page or a place is damaged
     */
    long checkIndex(long freed) throws FileDefect {
        if (header == null && !isMade()) {
            return -1;
        }
        file.forget();
        if (header.indexOfIndexes() == 0) {
            return -1;
        }
        long last = -1;
        long before = header.bytes() - 1;
        long[] pages = entries(header.indexOfIndexes(), INDEX_OF_INDEXES);
        for (int i = 0; i < pages.length; i++) {
            long[] places = entries(pages[i], INDEX);
            for (int j = 0; j < places.length; j++) {
                if (places[j] == 0) {
                    continue; // an excerpt without an entry, see goTo
                }
                last = ((long) i * header.indexCount() + j) * header.indexSpacing();
                if (places[j] <= before || last >= freed && !isExcerpt(places[j])) {
                    throw new FileDefect("at " + pages[i] + ": excerpt " + last + " has the index entry " + places[j]
                            + ", where none begins");
                }
                before = places[j];
            }
        }
        return last;
    }

    private long[] entries(long page, String name) throws FileDefect {
        int word = isPlace(page) ? file.word(page) : 0;
        String defect = DocumentHeader.isMeta(word) ? metaDefect(page, word) : "there is no index page";
        if (defect != null) {
            throw new FileDefect("at " + page + ": " + defect);
        }
        ByteBuffer content = ByteBuffer.allocate(DocumentHeader.length(word)).order(ByteOrder.LITTLE_ENDIAN);
        file.copy(page + WORD, content.capacity(), content);
        WireFields fields = WireFields.of(content, content.capacity());
        int array = fields.array(name, 0);
        if (!fields.first().equals(name)) {
            throw new FileDefect("at " + page + ": there is no page '" + name + "'");
        }
        long[] entries = new long[(int) content.getLong(array - Long.BYTES)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = content.getLong(array + i * Long.BYTES);
        }
        return entries;
    }

    private boolean isPlace(long place) {
        return place >= header.bytes() && place % WORD == 0 && place < file.size();
    }

    private boolean isExcerpt(long place) {
        int word = isPlace(place) ? file.word(place) : 0;
        return !DocumentHeader.isEnd(word)
                && !DocumentHeader.isMeta(word)
                && DocumentHeader.length(word) <= Excerpt.LONGEST
                && place + WORD + DocumentHeader.length(word) <= file.size();
    }

    private long element(long page, String name, long element) throws FileDefect {
        int word = page < header.bytes() || page % WORD != 0 ? 0 : file.word(page);
        String defect = DocumentHeader.isMeta(word) ? metaDefect(page, word) : "there is no index page";
        if (defect == null && element >= header.indexCount()) {
            defect = "entry " + element + " of " + header.indexCount() + " is asked for";
        }
        if (defect != null) {
            throw new FileDefect("at " + page + ": " + defect);
        }
        ByteBuffer content = ByteBuffer.allocate(DocumentHeader.length(word)).order(ByteOrder.LITTLE_ENDIAN);
        file.copy(page + WORD, content.capacity(), content);
        int array = WireFields.of(content, content.capacity()).array(name, 0);
        return content.getLong(array + (int) element * Long.BYTES);
    }

    /**
     * Checks the number that the file's header has of its last excerpt, if that is the one read last.
     *
     * @param number of the excerpt read last within the file
     */
    void checkNumber(long number) throws FileDefect {
        file.forget();
        long noted = file.number(header.lastAt() + Long.BYTES);
        if (header.last(file) == begin && noted >>> Integer.SIZE == begin && (int) noted != number) {
            throw new FileDefect("at " + header.lastAt() + ": the excerpt at " + begin + " has number " + number
                    + ", noted is " + (int) noted);
        }
    }

    /**
     * Moves to an excerpt that begins with a confirmed frame: the last one with an index entry, or else the first that was
     * not freed; returns false, at the file's first document, when there is none. The file is made.
     */
    boolean goToConfirmed(long confirmed, long freed) {
        at = header.bytes();
        long[] pages = pages(header.indexOfIndexes(), INDEX_OF_INDEXES);
        for (int i = pages.length - 1; i >= 0; i--) {
            long[] places = pages(pages[i], INDEX);
            for (int j = places.length - 1; j >= 0; j--) {
                if (isPlace(places[j]) && isConfirmed(places[j], confirmed)) {
                    at = places[j];
                    return true;
                }
            }
        }
        if (freed > 0) {
            return false;
        }
        while (DocumentHeader.isMeta(file.word(at)) && metaDefect(file.word(at)) == null) {
            at = DocumentHeader.next(at, DocumentHeader.length(file.word(at)));
        }
        return isConfirmed(at, confirmed);
    }

    private long[] pages(long page, String name) {
        try {
            return page == 0 ? new long[0] : entries(page, name);
        } catch (FileDefect torn) {
            return new long[0];
        }
    }

    private boolean isConfirmed(long place, long confirmed) {
        int word = file.word(place);
        long first = file.number(place + WORD + Excerpt.FIRST_SEQUENCE);
        return !DocumentHeader.isEnd(word)
                && !DocumentHeader.isMeta(word)
                && Excerpt.isMagic(file.word(place + WORD))
                && first > 0
                && first <= confirmed;
    }

    /**
     * Moves behind the last document of those from here on that are whole, each of which continues the one before. The
     * content of confirmed frames is not checked.
     *
     * @param newest sequence before, 0 for any
     * @return the newest sequence now; the last excerpt {@link #begin begins} at 0 when there is none
     */
    long moveBehindWhole(long confirmed, long newest) {
        long reached = newest;
        begin = 0;
        for (int word = freshWord(); !DocumentHeader.isEnd(word); word = file.word(at)) {
            if (DocumentHeader.isMeta(word)) {
                if (metaDefect(word) != null && !isForeignMeta(word)) {
                    break;
                }
            } else {
                long first = file.number(at + WORD + Excerpt.FIRST_SEQUENCE);
                int frames = file.word(at + WORD + Excerpt.FRAMES);
                isShallow = first > 0 && first <= confirmed;
                boolean isForeign = !Excerpt.isMagic(file.word(at + WORD)) && !isLost(word);
                String defect = isForeign ? null : read(word);
                isShallow = false;
                if (defect != null || !isForeign && first > confirmed && reached > 0 && first != reached + 1) {
                    break;
                }
                reached = isForeign ? reached : first + frames - 1;
                begin = at;
            }
            at = DocumentHeader.next(at, DocumentHeader.length(word));
        }
        return reached;
    }

    /**
     * Returns whether the beginning of a document's content was lost while its length was kept: the content begins a sector of the
     * device, and all of that sector is zero.
     */
    private boolean isLost(int word) {
        long end = at + WORD + DocumentHeader.length(word);
        boolean isLost = (at + WORD) % SECTOR == 0;
        for (long place = at + WORD; isLost && place < Math.min(at + WORD + SECTOR, end); place += WORD) {
            isLost = file.word(place) == 0;
        }
        return isLost;
    }

    /** Returns whether a document of the library is whole, and is no index page: another program's, which is not to be removed. */
    private boolean isForeignMeta(int word) {
        int bytes = DocumentHeader.length(word);
        if (bytes == 0 || bytes > DocumentHeader.LONGEST_META || !file.reaches(at + WORD + bytes)) {
            return false;
        }
        ByteBuffer content = page(bytes);
        file.copy(at + WORD, bytes, content);
        try {
            String name = WireFields.of(content, bytes).first();
            return !name.isEmpty() && !name.equals(INDEX) && !name.equals(INDEX_OF_INDEXES);
        } catch (FileDefect torn) {
            return false;
        }
    }

    /** {@return whether an excerpt that is whole follows behind this place, so that what is here is no tail} */
    boolean isFollowed() {
        return search(at + WORD) >= 0;
    }

    /** {@return whether the mark is here that ends a file when the topic continues in another one} */
    boolean isAtEndMark() {
        return file.word(at) == DocumentHeader.END_OF_FILE;
    }

    /** {@return where the bytes begin that no document has: here, or behind the mark of the file's end} */
    long end() {
        return file.word(at) == DocumentHeader.END_OF_FILE ? at + 2 * WORD : at;
    }

    /** {@return where the header has the file's last excerpt} */
    long last() {
        return header.last(file);
    }

    StoreHeader header() {
        return header;
    }

    /** {@return the places of all numbers of the header and the index that refer to a place behind this one, or to no page} */
    List<Long> referencesBehind() {
        List<Long> places = new ArrayList<>();
        if (header.last(file) >= at) {
            places.add(header.lastAt());
        }
        long top = header.indexOfIndexes();
        if (top != 0 && arrayIn(top, INDEX_OF_INDEXES) < 0) {
            places.add(header.indexOfIndexesAt());
        } else if (top != 0) {
            long pages = arrayIn(top, INDEX_OF_INDEXES);
            for (int i = 0; i < header.indexCount(); i++) {
                long page = file.number(pages + (long) i * Long.BYTES);
                long entries = page == 0 ? -1 : arrayIn(page, INDEX);
                if (page != 0 && entries < 0) {
                    places.add(pages + (long) i * Long.BYTES);
                }
                for (int j = 0; entries >= 0 && j < header.indexCount(); j++) {
                    if (file.number(entries + (long) j * Long.BYTES) >= at) {
                        places.add(entries + (long) j * Long.BYTES);
                    }
                }
            }
        }
        return places;
    }

    /** Returns where the array of a page begins; -1 where no such page is before this place. */
    private long arrayIn(long page, String name) {
        int word = page >= at || !isPlace(page) ? 0 : file.word(page);
        if (!DocumentHeader.isMeta(word) || metaDefect(page, word) != null) {
            return -1;
        }
        ByteBuffer content = ByteBuffer.allocate(DocumentHeader.length(word)).order(ByteOrder.LITTLE_ENDIAN);
        file.copy(page + WORD, content.capacity(), content);
        try {
            return page + WORD + WireFields.of(content, content.capacity()).array(name, 0);
        } catch (FileDefect other) {
            return -1;
        }
    }

    private int freshWord() {
        file.forget();
        return file.word(at);
    }

    private String metaDefect(int word) {
        return metaDefect(at, word);
    }

    private String metaDefect(long place, int word) {
        int bytes = DocumentHeader.length(word);
        if (bytes > DocumentHeader.LONGEST_META || place + WORD + bytes > file.size()) {
            return "an index page has the impossible length " + bytes;
        }
        ByteBuffer content = page(bytes);
        file.copy(place + WORD, bytes, content);
        try {
            WireFields fields = WireFields.of(content, bytes);
            String name = fields.first();
            if (!name.equals(INDEX) && !name.equals(INDEX_OF_INDEXES)) {
                return "a document that is no index page: '" + name.substring(0, Math.min(name.length(), LONGEST_NAME))
                        + "'";
            }
            if (fields.capacity(name) != header.indexCount()) {
                return "an index page with " + fields.capacity(name) + " entries, the file's have "
                        + header.indexCount();
            }
            return null;
        } catch (FileDefect defect) {
            return "an index page is damaged: " + defect.getMessage();
        }
    }

    /** Returns the one buffer for index pages, of which a long topic has many. */
    private ByteBuffer page(int bytes) {
        if (page.capacity() < bytes) {
            page = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return page;
    }

    private String read(int word) {
        int bytes = DocumentHeader.length(word);
        if (bytes > Excerpt.LONGEST) {
            return "it has " + bytes + " bytes, an excerpt of frames at most " + Excerpt.LONGEST;
        }
        if (!file.reaches(at + WORD + bytes)) {
            return "it has " + bytes + " bytes, the file ends at " + file.size();
        }
        if (isShallow) {
            return null;
        }
        return load(at, bytes) ? Excerpt.defect(excerpt, bytes, crc) : "the file was cut short";
    }

    private boolean load(long place, int bytes) {
        if (excerpt.capacity() < Math.max(bytes, Excerpt.FIRST_FRAME)) {
            excerpt = ByteBuffer.allocate(Integer.highestOneBit(bytes) << 1).order(ByteOrder.LITTLE_ENDIAN);
        }
        return file.copy(place + WORD, bytes, excerpt);
    }

    private void checkEnd(int word) throws FileDefect {
        if (header.last(file) >= at && freshWord() == word) {
            String what =
                    DocumentHeader.text(word) + " where the file's header has an excerpt, at " + header.last(file);
            continueBehind(what, at);
        }
        if (!isSearched) {
            isSearched = true;
            if (search(at + WORD) >= 0 && freshWord() == word) {
                isSearched = false;
                continueBehind(DocumentHeader.text(word) + " where excerpts follow", at);
            }
        }
    }

    /** Checks once more that no excerpt follows the end, which is final when the topic continues in another file. */
    public void leave() throws FileDefect {
        isSearched = false;
        if (!isLost && header != null) {
            checkEnd(file.word(at));
        }
    }

    private void continueBehind(String defect, long behind) throws FileDefect {
        long place = at;
        int word = behind > at && behind < file.size() ? file.word(behind) : 0;
        boolean isPlausible = word > 0 && behind + WORD + DocumentHeader.length(word) <= file.size();
        long found = isPlausible && DocumentHeader.length(word) <= Excerpt.LONGEST ? behind : search(at + WORD);
        isLost = found < 0;
        at = isLost ? file.size() : found;
        throw new FileDefect(
                "at " + place + ": " + defect + (found > behind ? "; the scan continues at " + found : ""));
    }

    /** Finds the next excerpt that is whole, or a negative number. */
    private long search(long from) {
        long size = file.size();
        long loadable = MOST_SEARCHED * size; // a file made for it could have an excerpt begin at every word
        for (long place = from; place < size - Excerpt.FIRST_FRAME; place += WORD) {
            int bytes = file.word(place);
            if (bytes > 0
                    && bytes <= Excerpt.LONGEST
                    && place + WORD + bytes <= size
                    && Excerpt.isMagic(file.word(place + WORD))
                    && file.word(place + WORD + Excerpt.BYTES) == bytes) {
                loadable -= bytes;
                if (load(place, bytes) && Excerpt.defect(excerpt, bytes, crc) == null) {
                    return place;
                }
                if (loadable < 0) {
                    return -1;
                }
            }
        }
        return -1;
    }

    @Override
    public void close() {
        file.close();
    }
}
