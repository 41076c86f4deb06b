"""Many replies at once: typed Arrow tables of columns, of files, and of datasets on Ray and Spark."""
