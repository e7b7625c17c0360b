package dev.baton.chronicle.platform;

/**
 * The file system below a transport's directory.
 *
 * @param space the free space
 * @param device the storage device on which a frame has to be before a writer confirms it; {@link Device#NONE} for none
 * @param locks the locks of the processes that use the directory
 */
public record Storage(DiskSpace space, Device device, DirectoryLocks locks) {}
