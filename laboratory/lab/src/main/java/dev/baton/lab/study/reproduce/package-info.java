/**
 * Published studies, each measured here with the settings of the study and compared with its figures. {@link
 * dev.baton.lab.study.reproduce.PublishedStudy} is their registry; every step of a study is a separate command line.
 */
package dev.baton.lab.study.reproduce;
